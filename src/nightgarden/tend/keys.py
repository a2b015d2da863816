"""Where tending keeps account of itself: keys of the program's own state, which no export holds."""

from __future__ import annotations

RUN = "tend:run"  # the run that goes on, or broke off
LAST = "tend:last:"  # by operation: when it was last done, and when it last went over everything
LOG = "tend:log:"  # one row a run, by cycle
BEFORE = "tend:before:"  # by cycle: state and gaps as they were, for an undo
HEALTH = "tend:health"  # figures that are dear to count, as of the last run
ROOT = "project-root:"  # by scope owner: where that project is, by machine
REFINED = "refine-"  # cycles that clusters are kept up in after many searches, by themselves
OPINIONS = "tend:opinions"  # what a mind said of pairs that evidence does not decide
