/// Not there yet. Without this file an installed header of another HIP would be taken, whose device code is not for us.
#error "libCHIP does not have hip_fp8.h yet"
