# What ./run and ./test share: get what is missing, build. Sourced by them, with `root` set to the source tree.
# Everything said here goes to stderr: stdout belongs to the program.
# shellcheck shell=bash disable=SC2154

say() { printf '%s\n' "warplens: $*" >&2; }
fail() {
  say "$*"
  exit 2
}

# help_of SCRIPT: the comment that the script begins with.
help_of() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$1"; }

# packages_of GROUP...: their names in debian-packages.txt.
packages_of() {
  local wanted=" $* " name group
  while read -r name group; do
    [[ $name != '#'* && -n $group && $wanted == *" $group "* ]] && printf '%s\n' "$name"
  done <"$root/third_party/debian-packages.txt"
  return 0
}

# missing_packages NAME...: those that are not installed.
missing_packages() {
  local installed name
  # dpkg-query fails where it does not know one of them: that is an answer here.
  installed=" $(dpkg-query -W -f '${db:Status-Status}:${Package} ' "$@" 2>/dev/null || true) "
  for name in "$@"; do
    [[ $installed == *" installed:$name "* ]] || printf '%s\n' "$name"
  done
}

# need_packages GROUP...: installs what is missing of these groups.
need_packages() {
  command -v dpkg-query >/dev/null || {
    say "this is no Debian: third_party/debian-packages.txt lists what must be installed by hand"
    return 0
  }
  local wanted=() missing=() as_root=()
  mapfile -t wanted < <(packages_of "$@")
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  ((${#missing[@]} == 0)) && return 0
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      fail "these Debian packages are missing: ${missing[*]}; install them as root (there is no sudo here)"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
  # A fresh machine has no package lists; a failed update may still do with the lists that are there.
  "${apt[@]}" update >&2 || say "apt-get update failed; trying with the package lists that are here"
  "${apt[@]}" install --no-install-recommends "${missing[@]}" >&2 ||
    fail "apt-get could not install ${missing[*]}; its reason stands above"
}

# Whether the compiler library is where engine/compile/nvrtc_search.cpp looks for it.
has_nvrtc() {
  [[ -n ${WARPLENS_NVRTC:-} ]] ||
    compgen -G "${CUDA_PATH:-/nonexistent}/lib64/libnvrtc.so.1[23]" >/dev/null ||
    compgen -G '/usr/local/cuda*/lib64/libnvrtc.so.1[23]' >/dev/null ||
    compgen -G '/opt/cuda/lib64/libnvrtc.so.1[23]' >/dev/null ||
    compgen -G '/usr/lib/x86_64-linux-gnu/libnvrtc.so.1[23]' >/dev/null ||
    /sbin/ldconfig -p 2>/dev/null | grep -q 'libnvrtc\.so\.1[23] '
}

# Debian's own Python first: another one on PATH may have no pip.
python_with_pip() {
  local python
  for python in /usr/bin/python3 python3; do
    "$python" -m pip --version >/dev/null 2>&1 && printf '%s\n' "$python" && return 0
  done
  return 1
}

# Fetches NVRTC into build/nvrtc. Without it all but compiling works, so a machine that is offline goes on.
fetch_nvrtc() {
  local target=$root/build/nvrtc python
  python=$(python_with_pip) || {
    say "no NVRTC and no pip to fetch it; install a CUDA toolkit to compile kernels"
    return 0
  }
  say "fetching NVRTC into build/nvrtc"
  rm -rf "$target.part"
  if ! "$python" -m pip install --quiet --no-deps --disable-pip-version-check --no-warn-script-location \
    --root-user-action ignore --target "$target.part" -r "$root/third_party/nvrtc-packages.txt" >&2; then
    say "NVRTC could not be fetched; kernels do not compile until './run' finds the network or a CUDA toolkit"
    return 0
  fi
  rm -f "$target.part"/nvidia/cu13/lib/*.alt.so* # a second compiler for other uses: half of the size
  touch "$target.part/done"
  rm -rf "$target"
  mv "$target.part" "$target"
}

# Whether the disassembler is where engine/sass/nvdisasm.cpp looks for it.
has_nvdisasm() {
  [[ -n ${WARPLENS_NVDISASM:-} ]] || command -v nvdisasm >/dev/null ||
    compgen -G "${CUDA_PATH:-/nonexistent}/bin/nvdisasm" >/dev/null ||
    compgen -G '/usr/local/cuda*/bin/nvdisasm' >/dev/null || compgen -G '/opt/cuda/bin/nvdisasm' >/dev/null
}

# fetch_nvdisasm: fetches the disassembler (5 MB) into build/nvdisasm where there is none, as NVRTC is fetched. Without it
# the machine code has no operands, which the program says; so it is tried once a day, and what fails is no failure.
fetch_nvdisasm() {
  local target=$root/build/nvdisasm tried=$root/build/nvdisasm.tried python
  [[ -e $target/done ]] || has_nvdisasm && return 0
  [[ -n $(find "$tried" -mmin -1440 2>/dev/null) ]] && return 0
  mkdir -p "$root/build"
  touch "$tried"
  python=$(python_with_pip) || return 0
  say "fetching nvdisasm into build/nvdisasm"
  rm -rf "$target.part"
  "$python" -m pip install --quiet --no-deps --disable-pip-version-check --no-warn-script-location --retries 1 --timeout 10 \
    --root-user-action ignore --target "$target.part" -r "$root/third_party/nvdisasm-packages.txt" >&2 || {
    say "nvdisasm could not be fetched; machine code is shown without its operands"
    return 0
  }
  touch "$target.part/done"
  rm -rf "$target"
  mv "$target.part" "$target"
}

# Whether nvcc is where engine/program/nvcc.cpp looks for it.
has_nvcc() {
  command -v nvcc >/dev/null || compgen -G "${CUDA_PATH:-/nonexistent}/bin/nvcc" >/dev/null ||
    compgen -G '/usr/local/cuda*/bin/nvcc' >/dev/null || compgen -G '/opt/cuda/bin/nvcc' >/dev/null
}

# fetch_nvcc: fetches nvcc into build/nvcc where there is none. Without it compiled programs still run.
fetch_nvcc() {
  local target=$root/build/nvcc python
  [[ -e $target/done ]] || has_nvcc && return 0
  need_packages nvrtc
  python=$(python_with_pip) || {
    say "no nvcc and no pip to fetch it; install a CUDA 13 toolkit to compile programs"
    return 0
  }
  say "fetching nvcc into build/nvcc (165 MB)"
  rm -rf "$target.part"
  "$python" -m pip install --quiet --no-deps --disable-pip-version-check --no-warn-script-location \
    --root-user-action ignore --target "$target.part" -r "$root/third_party/nvcc-packages.txt" >&2 || {
    say "nvcc could not be fetched; programs do not compile until './run exec' finds the network or a CUDA toolkit"
    return 0
  }
  chmod +x "$target.part"/nvidia/cu13/bin/* "$target.part"/nvidia/cu13/nvvm/bin/*
  touch "$target.part/done"
  rm -rf "$target"
  mv "$target.part" "$target"
}

# prepare GROUP...: these groups of packages, and NVRTC.
prepare() {
  if [[ -e $root/build/nvrtc/done ]] || has_nvrtc; then
    need_packages "$@"
  else
    need_packages "$@" nvrtc
    fetch_nvrtc
  fi
}

# build PRESET TARGET...: configures where that was not done, and builds. Silent where nothing is to do.
build() {
  local preset=$1 folder=$root/build/$1
  shift
  if [[ ! -e $folder/build.ninja ]]; then
    say "configuring build/$preset"
    (cd "$root" && cmake --preset "$preset" >&2) || fail "the build could not be configured; the reason stands above"
  fi
  # The program looks for NVRTC beside itself, in the layout of the pip packages.
  if [[ -e $root/build/nvrtc/done ]]; then
    mkdir -p "$folder/bin"
    ln -sfn ../../nvrtc/nvidia "$folder/bin/nvidia"
  fi
  if [[ -e $root/build/nvdisasm/done ]]; then
    mkdir -p "$folder/bin"
    ln -sfn ../../nvdisasm/nvidia/cu13/bin/nvdisasm "$folder/bin/nvdisasm"
  fi
  if [[ -e $root/build/nvcc/done ]]; then
    mkdir -p "$folder/bin"
    ln -sfn ../../nvcc/nvidia/cu13 "$folder/bin/cuda"
  fi
  # The compiler cache finds what was compiled in another folder, and behind precompiled headers, whose 100 MB it reads once
  # (CCACHE_INODECACHE), not for each source.
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1} CCACHE_INODECACHE=${CCACHE_INODECACHE:-1}
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}
  # Progress, without the lines that say that nothing is to do.
  ninja -C "$folder" -j "$(nproc)" "$@" 2>&1 |
    sed -u '/^ninja: \(Entering directory\|no work to do\)/d; /Re-checking globbed directories/d' >&2 ||
    fail "the build failed; the reason stands above"
}

# fetch_by_pip FOLDER LIST WHAT: packages of a list into a folder below the tree.
fetch_by_pip() {
  local target=$root/$1 python
  [[ ! -e $target/done ]] || return 0
  python=$(python_with_pip) || fail "there is no pip to fetch $3 with; install python3-pip"
  say "fetching $3 into $1"
  rm -rf "$target.part"
  "$python" -m pip install --quiet --no-deps --disable-pip-version-check --no-warn-script-location --root-user-action ignore \
    --target "$target.part" -r "$2" >&2 || fail "$3 could not be fetched"
  touch "$target.part/done"
  rm -rf "$target"
  mv "$target.part" "$target"
}
