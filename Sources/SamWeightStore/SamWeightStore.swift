// SamWeightStore
