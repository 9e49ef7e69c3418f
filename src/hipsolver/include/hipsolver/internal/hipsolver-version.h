/// The version of hipSOLVER's interface, which is that of ROCm 6.4.
#ifndef HIPSOLVER_VERSION_H
#define HIPSOLVER_VERSION_H

#define hipsolverVersionMajor 2
#define hipsolverVersionMinor 4
#define hipsolverVersionPatch 0
#define hipsolverVersionTweak

#endif
