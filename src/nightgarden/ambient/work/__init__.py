"""Work on code: what may be worth doing, a worktree to do it in, the project's own tests, and how it is delivered."""
