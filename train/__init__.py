"""Makes the weights of the built-in classifier again from the labelled data: `make train`. Not part of the package."""
