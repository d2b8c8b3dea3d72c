/**
 * Just enough of an assembler for WebAssembly to write a few functions by hand, as nested lists of bytes. Operands stand
 * before their instruction, as the machine wants them; the names are those of the text format.
 */
export type Code = readonly (number | Code)[]

/** A function: its parameters (all i32), further locals by kind, what it answers, and its instructions. */
export type WasmFunction = {
  readonly parameters: number
  /** i32 locals, numbered after the parameters; then i64 locals; then v128 locals. */
  readonly locals: readonly [i32: number, i64?: number, v128?: number]
  /** Name under which JavaScript calls it. */
  readonly exported?: string
  readonly body: Code
}

const [I32, I64, V128] = [0x7f, 0x7e, 0x7b]
const NOTHING = 0x40
const END = 0x0b

const simple =
  (instruction: number) =>
  (...operands: Code[]): Code => [...operands, instruction]
const vector =
  (instruction: number) =>
  (...operands: Code[]): Code => [...operands, 0xfd, ...unsigned(instruction)]
const access =
  (instruction: readonly number[]) =>
  (operands: Code | readonly Code[], offset = 0): Code => [
    operands as Code,
    ...instruction,
    0,
    ...unsigned(offset),
  ]

export const add = simple(0x6a)
export const sub = simple(0x6b)
/** Of unsigned numbers, rounded down. */
export const divide = simple(0x6e)
export const and = simple(0x71)
export const or = simple(0x72)
export const shl = simple(0x74)
export const shiftRight = simple(0x76)
export const equal = simple(0x46)
export const isZero = simple(0x45)
export const less = simple(0x49)
export const greater = simple(0x4b)
export const atLeast = simple(0x4f)
export const countTrailingZeros = simple(0x68)
export const select = simple(0x1b)
export const equal64 = simple(0x51)

export const splat = vector(15)
export const equalBytes = vector(35)
/** Bytes as signed numbers. */
export const lessBytes = vector(37)
export const lessUnsignedBytes = vector(38)
export const bothBits = vector(78)
export const eitherBits = vector(80)
export const highBits = vector(100)

export const load8 = access([0x2d])
export const load16 = access([0x2f])
export const load32 = access([0x28])
export const load64 = access([0x29])
export const load128 = access([0xfd, 0])
const store8At = access([0x3a])
const store32At = access([0x36])
const store64At = access([0x37])
const store128At = access([0xfd, 11])
export const store8 = (at: Code, value: Code) => store8At([at, value])
export const store32 = (at: Code, value: Code, offset = 0) => store32At([at, value], offset)
export const store64 = (at: Code, value: Code, offset = 0) => store64At([at, value], offset)
export const store128 = (at: Code, value: Code) => store128At([at, value])
/** Copies bytes: to, from, how many. */
export const copyBytes = (to: Code, from: Code, count: Code): Code => [to, from, count, 0xfc, 10, 0, 0]

export const get = (local: number): Code => [0x20, local]
export const set = (local: number, value: Code): Code => [value, 0x21, local]
export const tee = (local: number, value: Code): Code => [value, 0x22, local]
export const int = (value: number): Code => [0x41, ...signed(BigInt(value))]
export const long = (value: bigint): Code => [0x42, ...signed(value)]
export const raise = (local: number, by: number): Code => set(local, add(get(local), int(by)))

export const answer = (value: Code): Code => [value, 0x0f]
export const call = (index: number, ...operands: Code[]): Code => [...operands, 0x10, index]

/** Leaves so many of the blocks, loops and conditions around; a loop that is left begins anew. */
export const leave = (levels: number): Code => [0x0c, levels]
export const leaveIf = (levels: number, condition: Code): Code => [condition, 0x0d, levels]
export const block = (...body: Code[]): Code => [0x02, NOTHING, ...body, END]
export const loop = (...body: Code[]): Code => [0x03, NOTHING, ...body, END]
export const when = (condition: Code, ...body: Code[]): Code => [condition, 0x04, NOTHING, ...body, END]
/** `body` again and again while the condition holds. */
export const during = (condition: Code, ...body: Code[]): Code => loop(when(condition, ...body, leave(1)))

/** The bytes of a module with one memory of so many pages, exported as `memory`. All functions answer an i32. */
export function wasmModule(pages: number, functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters }) => [
    0x60,
    ...vectorOf(Array.from({ length: parameters }, () => [I32])),
    ...[1, I32],
  ])
  const exports = functions.flatMap(({ exported }, i) =>
    exported === undefined ? [] : [[...named(exported), 0, i]],
  )
  const bodies = functions.map(({ locals, body }) => {
    const [i32, i64 = 0, v128 = 0] = locals
    const kinds = [
      [...unsigned(i32), I32],
      [...unsigned(i64), I64],
      [...unsigned(v128), V128],
    ]
    const code = [...vectorOf(kinds), ...flatten(body), END]
    return [...unsigned(code.length), ...code]
  })
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vectorOf(types)),
    ...section(3, vectorOf(functions.map((_, i) => [i]))),
    ...section(5, [1, 0, ...unsigned(pages)]),
    ...section(7, vectorOf([[...named('memory'), 2, 0], ...exports])),
    ...section(10, vectorOf(bodies)),
  ])
}

function flatten(code: Code): number[] {
  return code.flatMap((part) => (typeof part === 'number' ? [part] : flatten(part)))
}

const vectorOf = (parts: readonly (readonly number[])[]) => [...unsigned(parts.length), ...parts.flat()]
const section = (id: number, content: readonly number[]) => [id, ...unsigned(content.length), ...content]
const named = (name: string) => [...unsigned(name.length), ...new TextEncoder().encode(name)]

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

/** Signed LEB128. */
function signed(value: bigint): number[] {
  const low = Number(value & 0x7fn)
  const rest = value >> 7n
  const ends = (rest === 0n && low < 0x40) || (rest === -1n && low >= 0x40)
  return ends ? [low] : [low | 0x80, ...signed(rest)]
}
