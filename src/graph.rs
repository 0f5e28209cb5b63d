//! Who depends on whom: order, cycles, reach.
