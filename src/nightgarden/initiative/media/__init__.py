"""Pictures, videos and GIFs that a post may carry: what is offered, what it may cost, who makes them."""
