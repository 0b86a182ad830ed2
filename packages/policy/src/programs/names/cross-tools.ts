const CROSS_TOOL =
  /^(?:aarch64|alpha|arc|arm\w*|avr|hppa|i[3-6]86|loongarch64|m68k|microblaze\w*|mips\w*|msp430|nios2|or1k|powerpc\w*|ppc\w*|riscv(?:32|64)|s390x|sh4|sparc\w*|x86_64|xtensa\w*)-(?:[a-z]\w{0,15}-){0,3}(gcc|g\+\+|cc|c\+\+|gfortran|as|ld|objdump|objcopy|readelf|nm|size|strings|strip|addr2line|c\+\+filt|gcov)(?:-\d{1,2})?$/;

/** The tool of which another is the variant for a different kind of machine: `gcc` for `arm-none-eabi-gcc`. */
export function plainToolName(name: string): string {
  return CROSS_TOOL.exec(name)?.[1] ?? name;
}
