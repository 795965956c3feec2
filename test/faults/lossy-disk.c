// A disk that keeps only synced data: preloaded into the server, it copies every file in LOSSY_FROM to LOSSY_TO when the file is
// synced. After a kill, LOSSY_TO contains what a power cut leaves in the worst case. Renames and deletions apply at once, because
// journaling file systems write them in order with everything that is synced later.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name, ...) ((int (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

// Writes the path of a file's copy to `copy`; returns NULL for a file that is not directly in LOSSY_FROM.
static char *copy_of(const char *path, char *copy, size_t size) {
  const char *from = getenv("LOSSY_FROM"), *to = getenv("LOSSY_TO");
  size_t length = from ? strlen(from) : 0;
  if (!from || !to || strncmp(path, from, length) || path[length] != '/' || strchr(path + length + 1, '/')) return NULL;
  snprintf(copy, size, "%s/%s", to, path + length + 1);
  return copy;
}

static void keep(int fd) {
  char link[64], path[4096], copy[4096], part[4200], buffer[65536];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  struct stat info;
  if (length < 0 || fstat(fd, &info) || !S_ISREG(info.st_mode)) return;
  path[length] = 0;
  if (!copy_of(path, copy, sizeof copy)) return;
  snprintf(part, sizeof part, "%s.part", copy);
  // Opens the file again, because its descriptor may be write-only.
  int in = open(link, O_RDONLY), out = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (in < 0 || out < 0) abort();
  for (ssize_t count; (count = read(in, buffer, sizeof buffer)) > 0;)
    if (write(out, buffer, count) != count) abort();
  close(in);
  close(out);
  if (REAL(rename, const char *, const char *)(part, copy)) abort();
}

int fsync(int fd) {
  int result = REAL(fsync, int)(fd);
  if (!result) keep(fd);
  return result;
}

int fdatasync(int fd) {
  int result = REAL(fdatasync, int)(fd);
  if (!result) keep(fd);
  return result;
}

int unlink(const char *path) {
  char copy[4096];
  int result = REAL(unlink, const char *)(path);
  if (!result && copy_of(path, copy, sizeof copy)) REAL(unlink, const char *)(copy);
  return result;
}

int rename(const char *old, const char *new) {
  char from[4096], to[4096];
  int result = REAL(rename, const char *, const char *)(old, new);
  if (!result && copy_of(old, from, sizeof from) && copy_of(new, to, sizeof to)) REAL(rename, const char *, const char *)(from, to);
  return result;
}
