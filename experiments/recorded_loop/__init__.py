"""A labelling loop over texts whose answers were recorded: these are its workers. Names are learnt
from what it has chosen, from as much chosen at random, and from all."""
