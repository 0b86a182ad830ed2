import { quoteWord } from "@belay/protocol";
/**
 * The replacement for `rm`, as text.
 *
 * It is POSIX sh because that starts in a millisecond or two where Node needs
 * forty, and `find -exec rm {} \;` starts it once per file; and because it then
 * runs wherever its shells run, including sandboxes and containers.
 * The paths of the trash and the home folder are written into it rather than read
 * from the environment, so it works the same under `env -i` and in scripts.
 *
 * Its format of the trash: for each folder that something was removed from,
 * `entries/<seconds>-<pid>-<number>/` with `origin` (that folder's path) and
 * `files/` (what was in it). There is no common index to lock or to damage:
 * creating the entry's folder is atomic, and the process that created it owns it.
 */
export function rmProgram({ trashDir, home }: { trashDir: string; home: string }): string {
  return `#!/bin/sh
# rm, as Belay installs it: what is removed goes to a trash, from which it can be restored.
trash=${quoteWord(trashDir)}
home=${quoteWord(home)}

# The system's own mv, mkdir and date come before the programs that a project puts on its path.
PATH=/usr/bin:/bin\${PATH:+:$PATH}
LC_ALL=C
export PATH LC_ALL
unset CDPATH
umask 077
set -f
IFS=' '

force='' recursive='' empty_dirs='' verbose='' ask_each='' ask_once=''
status=0 now='' entry_number=0

fail() { printf 'rm: %s\\n' "$1" >&2; status=1; }
usage_error() { fail "$1"; printf "Try 'rm --help' for more information.\\n" >&2; exit 1; }
ask() { printf 'rm: %s ' "$1" >&2; answer=''; read -r answer; case $answer in [yY]*) return 0 ;; *) return 1 ;; esac; }
is_there() { [ -e "$1" ] || [ -L "$1" ]; }
is_dir() { [ -d "$1" ] && [ ! -L "$1" ]; }

short_options() {
  rest=$1
  while [ -n "$rest" ]; do
    letter=\${rest%"\${rest#?}"} rest=\${rest#?}
    case $letter in
      f) force=1 ask_each='' ask_once='' ;;
      i) force='' ask_each=1 ask_once='' ;;
      I) force='' ask_each='' ask_once=1 ;;
      r | R) recursive=1 ;;
      d) empty_dirs=1 ;;
      v) verbose=1 ;;
      P | x) ;; # BSD: overwrite first, stay on one file system; a move does neither
      *) usage_error "invalid option -- '$letter'" ;;
    esac
  done
}

# Any beginning of a name will do, as long as only one option has it.
long_option() {
  name=\${1#--} value=''
  case $name in *=*) value=\${name#*=} name=\${name%%=*} ;; esac
  found='' possible=''
  for known in force interactive one-file-system no-preserve-root preserve-root recursive dir verbose help version; do
    case $known in
      "$name"*) possible="$possible '--$known'"; [ -z "$found" ] && found=$known || found=ambiguous ;;
    esac
  done
  case $found in
    force) short_options f ;;
    recursive) recursive=1 ;;
    dir) empty_dirs=1 ;;
    verbose) verbose=1 ;;
    one-file-system | no-preserve-root | preserve-root) ;; # / is always refused
    interactive)
      case $value in
        '' | always | yes) short_options i ;;
        once) short_options I ;;
        never | no | none) ask_each='' ask_once='' ;;
        *) usage_error "invalid argument '$value' for '--interactive'" ;;
      esac ;;
    help)
      printf 'Usage: rm [OPTION]... [FILE]...\\nMove the FILE(s) to the trash of this project. Takes the options of rm.\\n'
      exit 0 ;;
    version) printf 'rm (Belay trash) 1\\n'; exit 0 ;;
    ambiguous) usage_error "option '$1' is ambiguous; possibilities:$possible" ;;
    *) usage_error "unrecognized option '$1'" ;;
  esac
}

kind_of() {
  if [ -L "$1" ]; then kind='symbolic link'
  elif [ -d "$1" ]; then kind=directory
  elif [ -f "$1" ]; then if [ -s "$1" ]; then kind='regular file'; else kind='regular empty file'; fi
  elif [ -p "$1" ]; then kind=fifo
  elif [ -S "$1" ]; then kind=socket
  elif [ -b "$1" ]; then kind='block special file'
  else kind='character special file'
  fi
}

# Sets real_parent to where the folder really is: without links, without '..'.
resolve_parent() {
  [ "$1" = "$last_parent" ] && return 0
  last_parent=''
  case $1 in /*) folder=$1 ;; *) folder=./$1 ;; esac
  # The x keeps a newline at the end of a name from being dropped.
  real_parent=$(cd -P "$folder" 2>/dev/null && pwd -P && printf x) || return 1
  real_parent=\${real_parent%?x}
  last_parent=$1
}

# What must not go, not even to a trash.
is_protected() {
  case $trash/ in "$1"/*) return 0 ;; esac
  case $1/ in "$trash"/*) return 0 ;; esac
  case $home/ in "$1"/*) return 0 ;; esac
  case $1 in
    /bin | /boot | /dev | /etc | /home | /lib | /lib32 | /lib64 | /media | /mnt | /nix | /opt | /proc | /root) return 0 ;;
    /run | /sbin | /snap | /srv | /sys | /tmp | /usr | /var) return 0 ;;
    /Applications | /Library | /System | /Users | /Volumes | /private | /private/etc | /private/tmp | /private/var) return 0 ;;
    /usr/*/* | /var/*/* | /System/*/*) return 1 ;;
    /usr/* | /var/* | /System/*) return 0 ;;
  esac
  return 1
}

# Whether this operand may be moved. Sets real_parent and base.
accepts() {
  trimmed=$1
  while :; do case $trimmed in ?*/) trimmed=\${trimmed%/} ;; *) break ;; esac; done
  case $trimmed in
    /) fail "it is dangerous to operate recursively on '/'"; return 1 ;;
    */*) parent=\${trimmed%/*} base=\${trimmed##*/} ;;
    *) parent=. base=$trimmed ;;
  esac
  [ -n "$parent" ] || parent=/

  if ! is_there "$trimmed"; then
    if [ -d "$parent" ] && [ ! -x "$parent" ]; then fail "cannot remove '$1': Permission denied"
    elif [ -z "$force" ]; then fail "cannot remove '$1': No such file or directory"
    fi
    return 1
  fi
  case $1 in */) is_dir "$trimmed" || { fail "cannot remove '$1': Not a directory"; return 1; } ;; esac
  if is_dir "$trimmed"; then
    if [ -z "$recursive$empty_dirs" ]; then fail "cannot remove '$1': Is a directory"; return 1; fi
    case $base in . | ..) fail "refusing to remove '.' or '..' directory: skipping '$1'"; return 1 ;; esac
    if [ -z "$recursive" ] && [ -n "$(ls -A "$trimmed/" 2>/dev/null)" ]; then
      fail "cannot remove '$1': Directory not empty"; return 1
    fi
  fi

  resolve_parent "$parent" || { fail "cannot remove '$1': Permission denied"; return 1; }
  if is_protected "\${real_parent%/}/$base"; then
    fail "refusing to remove '$1': it is a system folder, the home folder or part of the trash"; return 1
  fi
  if [ -n "$ask_each" ]; then
    kind_of "$trimmed"
    ask "remove $kind '$1'?" || return 1
  elif [ -z "$force" ] && [ -t 0 ] && [ ! -w "$trimmed" ] && [ ! -L "$trimmed" ]; then
    kind_of "$trimmed"
    ask "remove write-protected $kind '$1'?" || return 1
  fi
}

# A folder in the trash for what comes from one folder. Making it is what makes its name ours.
open_entry() {
  [ -n "$now" ] || now=$(date +%s)
  while :; do
    entry_number=$((entry_number + 1))
    entry=$trash/entries/$now-$$-$entry_number
    mkdir "$entry" "$entry/files" 2>/dev/null && break
    if [ ! -d "$trash/entries" ]; then mkdir -p "$trash/entries" 2>/dev/null || return 1
    elif ! is_there "$entry"; then return 1
    fi
  done
  printf 'belay-trash 1\\n%s\\n' "$run_parent" > "$entry/origin"
}

# Moves one operand, for a reason why it cannot be.
move_one() {
  source=$1
  while :; do case $source in ?*/) source=\${source%/} ;; *) break ;; esac; done
  problem=$(mv -f -- "$source" "$entry/files/" 2>&1) && return 0
  if is_dir "$source" && [ ! -w "$source" ] && chmod u+w -- "$source" 2>/dev/null; then
    # To move a folder one must be allowed to write into it.
    problem=$(mv -f -- "$source" "$entry/files/" 2>&1) && { chmod u-w -- "$entry/files/\${source##*/}"; return 0; }
    chmod u-w -- "$source"
  fi
  # Nothing is in a socket, and it cannot be copied to another file system.
  [ -S "$source" ] && command rm -f -- "$source" 2>/dev/null && return 0
  fail "cannot remove '$1': \${problem##*: }"
}

# Moves the operands whose numbers are in run; they all come from run_parent. Called with all arguments.
flush() {
  [ -n "$run" ] || return 0
  if ! open_entry; then
    fail "the trash '$trash' cannot be written; nothing was removed"
    run=''
    return 1
  fi
  references=''
  for number in $run; do references="$references \\"\\\${$number}\\""; done
  if ! eval "mv -f -- $references \\"\\$entry/files/\\"" 2>/dev/null; then
    for number in $run; do
      eval "operand=\\\${$number}"
      if is_there "$operand"; then move_one "$operand"; fi
    done
  fi
  if [ -n "$verbose" ]; then
    for number in $run; do
      eval "operand=\\\${$number}"
      is_there "$operand" || printf "removed '%s'\\n" "$operand"
    done
  fi
  # Nothing went in: leave no empty entry behind.
  rmdir "$entry/files" 2>/dev/null && command rm -f -- "$entry/origin" && rmdir "$entry"
  run=''
}

# 1. Options, wherever they stand; the numbers of all other arguments.
operands='' count=0 number=0 only_operands=''
for argument; do
  number=$((number + 1))
  if [ -z "$only_operands" ]; then
    case $argument in
      --) only_operands=1; continue ;;
      --*) long_option "$argument"; continue ;;
      -?*) short_options "\${argument#-}"; continue ;;
    esac
    [ -z "\${POSIXLY_CORRECT+set}" ] || only_operands=1
  fi
  operands="$operands $number" count=$((count + 1))
done
if [ "$count" -eq 0 ]; then
  [ -n "$force" ] && exit 0
  usage_error 'missing operand'
fi
if [ -n "$ask_once" ] && { [ "$count" -gt 3 ] || [ -n "$recursive" ]; }; then
  ask "remove $count argument(s)\${recursive:+ recursively}?" || exit 0
fi

# 2. Those from one folder in a row go in one move, which is what makes many files quick.
run='' run_parent='' last_parent='' real_parent=''
for index in $operands; do
  eval "operand=\\\${$index}"
  accepts "$operand" || continue
  if [ "$real_parent" != "$run_parent" ]; then
    flush "$@"
    run_parent=$real_parent
  fi
  run="$run $index"
done
flush "$@"
exit "$status"
`;
}
