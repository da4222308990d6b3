// SamTensor
