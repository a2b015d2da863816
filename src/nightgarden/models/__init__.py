"""Local embeddings and reranking, a remote embeddings endpoint, and the queue that fills in missing vectors.

Knows how model files are found, checked, fetched and run. Does not know what is searched or how results are ranked."""
