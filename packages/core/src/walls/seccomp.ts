import { CoreError } from "../errors.ts";

/**
 * A small seccomp filter, as a BPF program.
 *
 * It blocks what namespaces do not. TIOCSTI types into a terminal: with it a program could write commands into its own
 * shell after it ended, which would not be judged. TIOCLINUX does the same on a console. The user's keyrings are
 * not separated by any namespace, nor are the sockets of a virtual machine (vsock), which lead to its host. io_uring can
 * bypass filters such as this one. Everything else is allowed; all calls of an architecture that is not listed here are
 * blocked, since their numbers differ.
 */
export function seccompFilter({ arch = process.arch, sockets = "all" }: FilterOptions = {}): Buffer {
  const modes = MODES[arch];
  if (!modes) throw new CoreError("spawn-failed", `There is no filter of system calls for the processor "${arch}".`);
  const parts = modes.flatMap((mode) => inMode(mode, sockets));
  return Buffer.concat([load(ARCH_AT), ...parts, answer(KILL)].map(encode));
}

interface FilterOptions {
  arch?: NodeJS.Architecture;
  /**
   * `network`: only sockets that a network namespace isolates. A Unix socket is a name in a file system, and a
   * read-only mount does not stop a program from connecting to it. `all`: those, too, and any other kind but vsock.
   */
  sockets?: "all" | "network";
}

interface Mode {
  audit: number;
  ioctl: number;
  socket: number;
  /** A single call for all socket operations, whose arguments a filter cannot see. */
  socketCall?: number;
  /** Fails as if this kernel did not support them. */
  absent: number[];
  /** Calls from this number on belong to a second table (x32), which would bypass the first. */
  secondTable?: number;
}

const MODES: Partial<Record<NodeJS.Architecture, Mode[]>> = {
  x64: [
    { audit: 0xc000003e, ioctl: 16, socket: 41, absent: [248, 249, 250, 425, 426, 427], secondTable: 0x40000000 },
    { audit: 0x40000003, ioctl: 54, socket: 359, socketCall: 102, absent: [286, 287, 288, 425, 426, 427] },
  ],
  arm64: [
    { audit: 0xc00000b7, ioctl: 29, socket: 198, absent: [217, 218, 219, 425, 426, 427] },
    { audit: 0x40000028, ioctl: 54, socket: 281, absent: [309, 310, 311, 425, 426, 427] },
  ],
};

const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const EPERM = 1;
const EACCES = 13;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;
const AF_VSOCK = 40;

/** The layout of seccomp's data: the number, the architecture, then six arguments of eight bytes. */
const NUMBER_AT = 0;
const ARCH_AT = 4;
const FIRST_ARGUMENT_AT = 16;
const SECOND_ARGUMENT_AT = 24;

/** AF_INET, AF_INET6, AF_NETLINK. */
const DIVIDED_SOCKETS = [2, 10, 16];

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const fail = (errno: number) => 0x00050000 + errno;

interface Instruction {
  code: number;
  ifTrue: number;
  ifFalse: number;
  value: number;
}

const load = (at: number): Instruction => ({ code: 0x20, ifTrue: 0, ifFalse: 0, value: at });
const answer = (value: number): Instruction => ({ code: 0x06, ifTrue: 0, ifFalse: 0, value });
/** Skips this many instructions if the value is different. */
const unlessEqualSkip = (value: number, skip: number): Instruction => ({ code: 0x15, ifTrue: 0, ifFalse: skip, value });
const unlessAtLeastSkip = (value: number, skip: number): Instruction => ({
  code: 0x35,
  ifTrue: 0,
  ifFalse: skip,
  value,
});

/** The rules for one architecture; those for the next follow. */
function inMode(mode: Mode, sockets: "all" | "network"): Instruction[] {
  const { audit, ioctl, absent, secondTable } = mode;
  const body = [
    load(NUMBER_AT),
    ...(secondTable === undefined ? [] : [unlessAtLeastSkip(secondTable, 1), answer(fail(ENOSYS))]),
    ...absent.flatMap((number) => [unlessEqualSkip(number, 1), answer(fail(ENOSYS))]),
    ...socketRules(mode, sockets),
    unlessEqualSkip(ioctl, 5),
    // The kernel only uses the lower half of the argument.
    load(SECOND_ARGUMENT_AT),
    unlessEqualSkip(TIOCSTI, 1),
    answer(fail(EPERM)),
    unlessEqualSkip(TIOCLINUX, 1),
    answer(fail(EPERM)),
    answer(ALLOW),
  ];
  return [unlessEqualSkip(audit, body.length), ...body];
}

function socketRules({ socket, socketCall }: Mode, sockets: "all" | "network"): Instruction[] {
  const kinds = [
    load(FIRST_ARGUMENT_AT),
    ...(sockets === "all"
      ? [unlessEqualSkip(AF_VSOCK, 1), answer(fail(EAFNOSUPPORT)), answer(ALLOW)]
      : [...DIVIDED_SOCKETS.flatMap((kind) => [unlessEqualSkip(kind, 1), answer(ALLOW)]), answer(fail(EACCES))]),
  ];
  return [
    ...(socketCall === undefined ? [] : [unlessEqualSkip(socketCall, 1), answer(fail(ENOSYS))]),
    unlessEqualSkip(socket, kinds.length),
    ...kinds,
  ];
}

function encode({ code, ifTrue, ifFalse, value }: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
