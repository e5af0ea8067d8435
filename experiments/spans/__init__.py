"""Long spans: whether more data and more iterations make them better or worse."""
