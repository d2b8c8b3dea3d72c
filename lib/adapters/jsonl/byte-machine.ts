/** What a compiled machine of `assembly` exports: its functions, and its memory as bytes. */
export type ByteMachine = {
  readonly bytes: Buffer
  readonly functions: Record<string, unknown>
}

const PAGE = 1 << 16

/**
 * Starts a compiled machine; null where the processor or the platform cannot.
 * @param module in base64
 * @param size of its memory in bytes, at least
 */
export function startByteMachine(module: string, size: number): ByteMachine | null {
  let instance: WebAssembly.Instance
  try {
    instance = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(module, 'base64')))
  } catch {
    return null
  }
  const { memory, ...functions } = instance.exports
  if (!(memory instanceof WebAssembly.Memory)) return null
  memory.grow(Math.ceil(size / PAGE))
  return { bytes: Buffer.from(memory.buffer), functions }
}

/** Fills the table at an address that has for each byte its value as a hexadecimal digit; 255 when it is none. */
export function fillHexDigits(bytes: Buffer, at: number): void {
  bytes.fill(0xff, at, at + 256)
  for (const digit of '0123456789abcdefABCDEF') {
    bytes[at + digit.charCodeAt(0)] = Number.parseInt(digit, 16)
  }
}
