/*
 * Records what a process does to the files of one directory, and makes chosen calls fail.
 * Loaded with LD_PRELOAD; configured by the environment:
 *
 *   WEIR_FAULTS_ROOT     only files below this directory are looked at
 *   WEIR_FAULTS_JOURNAL  file to which every change is appended, in the order in which it took effect
 *   WEIR_FAULTS_MARKS    a write to this file is recorded as a mark
 *   WEIR_FAULTS_CONTROL  a struct control, changed by the test while the process runs
 *
 * One lock is held over each call and its record: the journal's order is the order of effects, and
 * what precedes a sync's record was in the file when the sync began.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN = 1, WRITE, SYNC, TRUNCATE, RENAME, UNLINK, MARK, SYNC_FAILED, WRITE_FAILED };
enum { FAIL_WRITE = 1, FAIL_SYNC = 2, FAIL_CREATE = 4, FAIL_UNLINK = 8, SHORT_WRITE = 16,
       TORN_WRITE = 32, FAIL_LIST = 64, FAIL_READ_LIST = 128,
       FAIL_OPEN = 256, FAIL_READ = 512 };

struct record {
  uint32_t type;
  uint32_t length;  /* bytes behind this record: data, or a path */
  uint32_t length2; /* bytes behind those: the second path of a rename */
  uint32_t pad;
  uint64_t inode;
  int64_t offset; /* of a write; the size of a truncate; 1 for an open that created the file */
};

struct control {
  volatile int32_t calls; /* the calls that fail, as FAIL_ bits */
  volatile int32_t error; /* errno of a failed call */
  volatile int64_t skip;  /* so many such calls succeed first */
  volatile int64_t times; /* so many fail then; -1 for all */
  volatile int64_t failed;
  volatile int64_t sync_us; /* each sync takes at least so long */
};

#define MAX_FDS 65536
static uint64_t inodes[MAX_FDS];
static char marks_fd[MAX_FDS];
static char lost_pages[MAX_FDS]; /* another descriptor's sync has failed: this one's next fails too */
static char root[PATH_MAX];
static char marks[PATH_MAX];
static size_t root_length;
static int journal = -1;
static struct control *control;
static int torn; /* half of a write was done, the rest is to fail */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int (*real_open)(const char *, int, ...);
static int (*real_openat)(int, const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_read)(int, void *, size_t);
static ssize_t (*real_pread)(int, void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_ftruncate)(int, off_t);
static int (*real_rename)(const char *, const char *);
static int (*real_unlink)(const char *);
static int (*real_unlinkat)(int, const char *, int);
static int (*real_remove)(const char *);
static DIR *(*real_opendir)(const char *);
static DIR *(*real_fdopendir)(int);
static struct dirent *(*real_readdir)(DIR *);
static ssize_t (*real_sendfile)(int, int, off_t *, size_t);
static ssize_t (*real_copy)(int, off_t *, int, off_t *, size_t, unsigned);

static void init(void) {
  real_open = dlsym(RTLD_NEXT, "open");
  real_openat = dlsym(RTLD_NEXT, "openat");
  real_close = dlsym(RTLD_NEXT, "close");
  real_read = dlsym(RTLD_NEXT, "read");
  real_pread = dlsym(RTLD_NEXT, "pread64");
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_writev = dlsym(RTLD_NEXT, "writev");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_rename = dlsym(RTLD_NEXT, "rename");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  real_unlinkat = dlsym(RTLD_NEXT, "unlinkat");
  real_remove = dlsym(RTLD_NEXT, "remove");
  real_opendir = dlsym(RTLD_NEXT, "opendir");
  real_fdopendir = dlsym(RTLD_NEXT, "fdopendir");
  real_readdir = dlsym(RTLD_NEXT, "readdir64");
  real_sendfile = dlsym(RTLD_NEXT, "sendfile64");
  real_copy = dlsym(RTLD_NEXT, "copy_file_range");
  const char *name = getenv("WEIR_FAULTS_ROOT");
  if (name == NULL || realpath(name, root) == NULL) return;
  root_length = strlen(root);
  if ((name = getenv("WEIR_FAULTS_MARKS")) != NULL) snprintf(marks, sizeof marks, "%s", name);
  if ((name = getenv("WEIR_FAULTS_JOURNAL")) != NULL)
    journal = real_open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if ((name = getenv("WEIR_FAULTS_CONTROL")) != NULL) {
    int fd = real_open(name, O_RDWR | O_CLOEXEC);
    void *at = fd < 0 ? MAP_FAILED
                      : mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0) real_close(fd);
    control = at == MAP_FAILED ? NULL : at;
  }
}

static void ready(void) { pthread_once(&once, init); }

static void put(const void *data, size_t length) {
  for (const char *at = data; length > 0;) {
    ssize_t done = real_write(journal, at, length);
    if (done < 0) {
      if (errno == EINTR) continue;
      abort();
    }
    at += done;
    length -= done;
  }
}

static void note(uint32_t type, uint64_t inode, int64_t offset, const void *data, size_t length,
                 const void *data2, size_t length2) {
  if (journal < 0) return;
  int saved = errno;
  struct record record = {type, length, length2, 0, inode, offset};
  put(&record, sizeof record);
  put(data, length);
  put(data2, length2);
  errno = saved;
}

/* Whether this call is to fail; called with the lock held. */
static int fails(int call) {
  if (control == NULL || (control->calls & call) == 0 || control->times == 0) return 0;
  if (control->skip > 0) {
    control->skip--;
    return 0;
  }
  if (control->times > 0) control->times--;
  control->failed++;
  errno = control->error;
  return 1;
}

static int tracked(int fd) { return fd >= 0 && fd < MAX_FDS && inodes[fd] != 0; }

static int below(const char *path, char *full) {
  if (root_length == 0) return 0;
  char parent[PATH_MAX];
  if (path[0] == '/') snprintf(full, PATH_MAX, "%s", path);
  else if (getcwd(parent, sizeof parent) == NULL) return 0;
  else if (snprintf(full, PATH_MAX, "%s/%s", parent, path) >= PATH_MAX) return 0;
  /* The directory may be named by a link; the file itself may not exist. */
  snprintf(parent, sizeof parent, "%s", full);
  char *slash = strrchr(parent, '/');
  if (slash == NULL || slash == parent) return 0;
  char name[NAME_MAX + 1];
  snprintf(name, sizeof name, "%s", slash + 1);
  *slash = 0;
  char real[PATH_MAX];
  if (realpath(parent, real) == NULL) return 0;
  if (snprintf(full, PATH_MAX, "%s/%s", real, name) >= PATH_MAX) return 0;
  return strncmp(full, root, root_length) == 0 && full[root_length] == '/';
}

static int opened(int fd, const char *path, int existed) {
  if (fd < 0 || fd >= MAX_FDS) return fd;
  int saved = errno;
  inodes[fd] = 0;
  lost_pages[fd] = 0;
  marks_fd[fd] = marks[0] != 0 && strcmp(path, marks) == 0;
  char full[PATH_MAX];
  struct stat info;
  if (below(path, full) && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
    inodes[fd] = info.st_ino;
    note(OPEN, info.st_ino, !existed, full + root_length + 1, strlen(full) - root_length - 1,
         NULL, 0);
    if (existed && info.st_size == 0) note(TRUNCATE, info.st_ino, 0, NULL, 0, NULL, 0);
  }
  errno = saved;
  return fd;
}

static int do_open(int at, const char *path, int flags, mode_t mode) {
  ready();
  char full[PATH_MAX];
  if (at != AT_FDCWD || !below(path, full)) {
    int fd = real_openat(at, path, flags, mode);
    if (fd >= 0 && fd < MAX_FDS) {
      inodes[fd] = 0;
      marks_fd[fd] = marks[0] != 0 && strcmp(path, marks) == 0;
    }
    return fd;
  }
  pthread_mutex_lock(&lock);
  struct stat info;
  int existed = stat(path, &info) == 0;
  int fails_now = existed ? fails(FAIL_OPEN) : (flags & O_CREAT) && fails(FAIL_CREATE);
  int fd = fails_now
               ? -1
               : opened(real_openat(at, path, flags, mode), path, existed);
  pthread_mutex_unlock(&lock);
  return fd;
}

#define MODE(flags)                         \
  mode_t mode = 0;                          \
  if ((flags) & (O_CREAT | O_TMPFILE)) {    \
    va_list list;                           \
    va_start(list, flags);                  \
    mode = va_arg(list, mode_t);            \
    va_end(list);                           \
  }

int open(const char *path, int flags, ...) {
  MODE(flags)
  return do_open(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags)
  return do_open(AT_FDCWD, path, flags, mode);
}

int openat(int at, const char *path, int flags, ...) {
  MODE(flags)
  return do_open(at, path, flags, mode);
}

int openat64(int at, const char *path, int flags, ...) {
  MODE(flags)
  return do_open(at, path, flags, mode);
}

int close(int fd) {
  ready();
  if (fd >= 0 && fd < MAX_FDS) {
    inodes[fd] = 0;
    marks_fd[fd] = 0;
  }
  return real_close(fd);
}

static int fails_locked(int call) {
  pthread_mutex_lock(&lock);
  int result = fails(call);
  pthread_mutex_unlock(&lock);
  return result;
}

ssize_t read(int fd, void *data, size_t length) {
  ready();
  return tracked(fd) && fails_locked(FAIL_READ) ? -1 : real_read(fd, data, length);
}

ssize_t pread64(int fd, void *data, size_t length, off_t offset) {
  ready();
  return tracked(fd) && fails_locked(FAIL_READ) ? -1 : real_pread(fd, data, length, offset);
}

static ssize_t do_write(int fd, const void *data, size_t length, off_t offset, int positioned) {
  ready();
  if (fd >= 0 && fd < MAX_FDS && marks_fd[fd]) {
    pthread_mutex_lock(&lock);
    note(MARK, 0, 0, data, length, NULL, 0);
    pthread_mutex_unlock(&lock);
  }
  if (!tracked(fd))
    return positioned ? real_pwrite(fd, data, length, offset) : real_write(fd, data, length);
  pthread_mutex_lock(&lock);
  ssize_t done;
  size_t part = length;
  if (control != NULL && (control->calls & SHORT_WRITE) && length > 1 && fails(SHORT_WRITE))
    part = length / 2;
  int fail = 0;
  if (control != NULL && (control->calls & TORN_WRITE) && length > 1 && fails(TORN_WRITE)) {
    fail = torn;
    part = torn ? 0 : length / 2;
    torn = !torn;
  }
  if (fail || fails(FAIL_WRITE)) {
    done = -1;
    note(WRITE_FAILED, inodes[fd], 0, NULL, 0, NULL, 0);
  } else if (positioned) {
    done = real_pwrite(fd, data, part, offset);
  } else {
    int append = fcntl(fd, F_GETFL) & O_APPEND;
    struct stat info;
    fstat(fd, &info);
    offset = append ? info.st_size : lseek(fd, 0, SEEK_CUR);
    done = real_write(fd, data, part);
  }
  if (done > 0) note(WRITE, inodes[fd], offset, data, done, NULL, 0);
  pthread_mutex_unlock(&lock);
  return done;
}

ssize_t write(int fd, const void *data, size_t length) { return do_write(fd, data, length, 0, 0); }

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  return do_write(fd, data, length, offset, 1);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off_t offset) {
  return do_write(fd, data, length, offset, 1);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  ready();
  if (!tracked(fd)) return real_writev(fd, parts, count);
  return count == 0 ? 0 : do_write(fd, parts[0].iov_base, parts[0].iov_len, 0, 0);
}

static int do_sync(int fd, int (*sync)(int)) {
  if (!tracked(fd)) return sync(fd);
  if (control != NULL && control->sync_us > 0) usleep(control->sync_us);
  pthread_mutex_lock(&lock);
  int result;
  if (lost_pages[fd]) {
    lost_pages[fd] = 0;
    errno = control->error;
    result = -1;
  } else if (fails(FAIL_SYNC)) {
    /* As Linux does since 4.13: a failure is told once to each descriptor that is open. */
    for (int other = 0; other < MAX_FDS; other++)
      if (other != fd && inodes[other] == inodes[fd]) lost_pages[other] = 1;
    result = -1;
  } else {
    result = sync(fd);
  }
  note(result == 0 ? SYNC : SYNC_FAILED, inodes[fd], 0, NULL, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int fsync(int fd) {
  ready();
  return do_sync(fd, real_fsync);
}

int fdatasync(int fd) {
  ready();
  return do_sync(fd, real_fdatasync);
}

static int do_truncate(int fd, off_t length) {
  ready();
  if (!tracked(fd)) return real_ftruncate(fd, length);
  pthread_mutex_lock(&lock);
  int result = fails(FAIL_WRITE) ? -1 : real_ftruncate(fd, length);
  if (result == 0) note(TRUNCATE, inodes[fd], length, NULL, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int ftruncate(int fd, off_t length) { return do_truncate(fd, length); }

int ftruncate64(int fd, off_t length) { return do_truncate(fd, length); }

int rename(const char *from, const char *to) {
  ready();
  char full[PATH_MAX], full2[PATH_MAX];
  if (!below(from, full) || !below(to, full2)) return real_rename(from, to);
  pthread_mutex_lock(&lock);
  int result = fails(FAIL_CREATE) ? -1 : real_rename(from, to);
  if (result == 0)
    note(RENAME, 0, 0, full + root_length + 1, strlen(full) - root_length - 1,
         full2 + root_length + 1, strlen(full2) - root_length - 1);
  pthread_mutex_unlock(&lock);
  return result;
}

static int do_unlink(int at, const char *path, int flags, int (*call)(const char *)) {
  ready();
  char full[PATH_MAX];
  struct stat info;
  int file = at == AT_FDCWD && below(path, full) && lstat(path, &info) == 0 && S_ISREG(info.st_mode);
  if (!file) return call == NULL ? real_unlinkat(at, path, flags) : call(path);
  pthread_mutex_lock(&lock);
  int result = fails(FAIL_UNLINK) ? -1 : real_unlink(path);
  if (result == 0)
    note(UNLINK, 0, 0, full + root_length + 1, strlen(full) - root_length - 1, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int unlink(const char *path) {
  ready();
  return do_unlink(AT_FDCWD, path, 0, real_unlink);
}

int unlinkat(int at, const char *path, int flags) { return do_unlink(at, path, flags, NULL); }

int remove(const char *path) {
  ready();
  return do_unlink(AT_FDCWD, path, 0, real_remove);
}

/* Whether a directory is the root or below it. */
static int within(const char *path) {
  char real[PATH_MAX];
  return root_length > 0 && realpath(path, real) != NULL &&
         strncmp(real, root, root_length) == 0 &&
         (real[root_length] == 0 || real[root_length] == '/');
}

static int within_fd(int fd) {
  int saved = errno; /* readdir says by it whether the end was reached */
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int result = within(link);
  errno = saved;
  return result;
}

DIR *opendir(const char *path) {
  ready();
  return within(path) && fails_locked(FAIL_LIST) ? NULL : real_opendir(path);
}

DIR *fdopendir(int fd) {
  ready();
  return within_fd(fd) && fails_locked(FAIL_LIST) ? NULL : real_fdopendir(fd);
}

static struct dirent *do_readdir(DIR *directory) {
  ready();
  int asked = control != NULL && (control->calls & FAIL_READ_LIST) != 0;
  int fail = asked && within_fd(dirfd(directory)) && fails_locked(FAIL_READ_LIST);
  return fail ? NULL : real_readdir(directory);
}

/* Both names stand for one function where an offset has 64 bits. */
struct dirent *readdir(DIR *directory) { return do_readdir(directory); }

struct dirent64 *readdir64(DIR *directory) { return (struct dirent64 *)do_readdir(directory); }

/* Copies within the kernel would pass by the journal: the caller copies by reading and writing. */
ssize_t sendfile64(int out, int in, off_t *offset, size_t count) {
  ready();
  if (!tracked(out)) return real_sendfile(out, in, offset, count);
  errno = EINVAL;
  return -1;
}

ssize_t sendfile(int out, int in, off_t *offset, size_t count) {
  return sendfile64(out, in, offset, count);
}

ssize_t copy_file_range(int in, off_t *from, int out, off_t *to, size_t count, unsigned flags) {
  ready();
  if (!tracked(out)) return real_copy(in, from, out, to, count, flags);
  errno = EINVAL;
  return -1;
}
