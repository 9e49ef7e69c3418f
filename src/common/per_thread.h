// Objects that each thread has one of.
#pragma once

#include <new>
#include <pthread.h>

namespace common {

/// The calling thread's T, made at its first use there and gone with the thread: after all its
/// thread_local objects, whose destructors may still want it, and not at all on the thread that
/// ends the process, whose static objects may. A thread_local with a destructor is gone too early
/// for both. It would also be made under the dynamic loader's lock, and who unloads a library holds
/// that while it waits for kernels to end: this may be the thread that is to run them. The library
/// that this is part of must stay mapped (linked with -z nodelete).
template <class T> T &of_this_thread() {
  constinit static thread_local T *object __attribute__((tls_model("initial-exec"))) = nullptr;
  if (!object) [[unlikely]] {
    struct Key {
      pthread_key_t key{};
      bool is_there = pthread_key_create(&key, [](void *thread_object) {
                        object = nullptr;
                        delete static_cast<T *>(thread_object);
                      }) == 0;
    };
    static const Key key;
    object = new T;
    // Where the system has no room for it, the object outlives its thread.
    if (key.is_there)
      pthread_setspecific(key.key, object);
  }
  return *object;
}

} // namespace common
