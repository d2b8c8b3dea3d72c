/** Numbers that look random and are the same for the same seed (xorshift32). */
class Chance {
  private state: number

  constructor(seed: number) {
    // Zero would stay zero for ever.
    this.state = (Math.imul(seed, 0x9e3779b1) ^ 0x6d2b79f5) >>> 0 || 1
  }

  /** From 0 up to, not including, `end`. */
  below(end: number): number {
    this.state ^= this.state << 13
    this.state >>>= 0
    this.state ^= this.state >>> 17
    this.state ^= this.state << 5
    this.state >>>= 0
    return this.state % Math.max(1, end)
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)]
    if (item === undefined) throw new RangeError('nothing to pick from')
    return item
  }
}

/** Damages the lines of a transcript in one way, in place. */
type Mutation = (lines: Buffer[], chance: Chance) => void

const DEPTH = 20_000

function edit(change: (line: string, chance: Chance) => string): Mutation {
  return (lines, chance) => {
    const at = chance.below(lines.length)
    lines[at] = Buffer.from(change(lines[at]?.toString('latin1') ?? '', chance), 'latin1')
  }
}

function insert(...made: readonly string[]): Mutation {
  return (lines, chance) => lines.splice(chance.below(lines.length + 1), 0, Buffer.from(chance.pick(made)))
}

/** What happens to files, and what ill will could do to them. */
const MUTATIONS: { readonly [name: string]: Mutation } = {
  bitFlip: (lines, chance) => {
    const line = Buffer.from(chance.pick(lines))
    const at = chance.below(line.length)
    line[at] = (line[at] ?? 0) ^ (1 << chance.below(8))
    lines[chance.below(lines.length)] = line
  },
  flipInPlace: (lines, chance) => {
    const which = chance.below(lines.length)
    const line = Buffer.from(lines[which] ?? [])
    const at = chance.below(line.length)
    line[at] = (line[at] ?? 0) ^ (1 << chance.below(8))
    lines[which] = line
  },
  cutLine: edit((line, chance) => line.slice(0, chance.below(line.length + 1))),
  cutFile: (lines, chance) => lines.splice(Math.max(1, chance.below(lines.length + 1))),
  dropLine: (lines, chance) => lines.splice(chance.below(lines.length), 1),
  repeatLine: (lines, chance) => {
    lines.splice(chance.below(lines.length + 1), 0, chance.pick(lines))
  },
  swapLines: (lines, chance) => {
    const a = chance.below(lines.length)
    const b = chance.below(lines.length)
    const [first, second] = [lines[a], lines[b]]
    if (first && second) [lines[a], lines[b]] = [second, first]
  },
  reversePart: (lines, chance) => {
    const at = chance.below(lines.length)
    const part = lines.splice(at, chance.below(12)).reverse()
    lines.splice(at, 0, ...part)
  },
  joinLines: (lines, chance) => {
    const at = chance.below(lines.length)
    const [first, second] = [lines[at], lines[at + 1]]
    if (first && second) lines.splice(at, 2, Buffer.concat([first.subarray(chance.below(2) * 7), second]))
  },
  orphanResult: edit((line) => line.replace(/"toolCallId":"[^"]*"/, '"toolCallId":"nobody"')),
  unnamedResult: edit((line) => line.replace(/"toolCallId":"[^"]*"/, '"toolCallId":""')),
  nullRole: edit((line) => line.replace(/"role":"[^"]*"/, '"role":null')),
  otherRole: edit((line, chance) =>
    line.replace(/"role":"[^"]*"/, `"role":"${chance.pick(['user', 'toolResult', 'assistant', 'x'])}"`),
  ),
  lostParent: edit((line) => line.replace(/"parentId":"[^"]*"/, '"parentId":"ffffffff"')),
  noParent: edit((line) => line.replace(/"parentId":"[^"]*",?/, '')),
  wrongParent: (lines, chance) => {
    const id = /"id":"([^"]+)"/.exec(chance.pick(lines).toString('latin1'))?.[1] ?? 'x'
    edit((line) => line.replace(/"parentId":"[^"]*"/, `"parentId":"${id}"`))(lines, chance)
  },
  sameId: (lines, chance) => {
    const id = /"id":"([^"]+)"/.exec(chance.pick(lines).toString('latin1'))?.[1] ?? 'x'
    edit((line) => line.replace(/"id":"[^"]*"/, `"id":"${id}"`))(lines, chance)
  },
  noId: edit((line) => line.replace(/"id":"[^"]*",?/, '')),
  noContent: edit((line, chance) =>
    line.replace(
      /"content":/,
      chance.pick(['"content":null,"x":', '"content":[],"x":', '"content":[null,{}],"x":']),
    ),
  ),
  noArguments: edit((line) => line.replace(/"arguments":/, '"argument":')),
  blankText: edit((line) => line.replace(/"text":"[^"]*"/, '"text":" \\n"')),
  stopped: edit((line, chance) =>
    line.replace(/"stopReason":"[^"]*"/, `"stopReason":"${chance.pick(['aborted', 'error', 'stop'])}"`),
  ),
  lostKept: edit((line) => line.replace(/"firstKeptEntryId":"[^"]*"/, '"firstKeptEntryId":"ffffffff"')),
  keptIndex: edit((line, chance) =>
    line.replace(
      /"firstKeptEntryIndex":\d+/,
      `"firstKeptEntryIndex":${chance.pick(['-1', '1e9', '2', '0.5'])}`,
    ),
  ),
  hugeNumber: edit((line, chance) =>
    line.replace(
      /"timestamp":\d+/,
      `"timestamp":${chance.pick(['1e999', '-1e308', '9'.repeat(400), '1e300'])}`,
    ),
  ),
  deepNesting: edit((line, chance) => {
    const [open, close] = chance.pick([
      ['[', ']'],
      ['{"a":', '}'],
    ] as const)
    return line.replace('{', `{"deep":${open.repeat(DEPTH)}1${close.repeat(DEPTH)},`)
  }),
  loneSurrogate: edit((line, chance) =>
    line.replace(/"text":"/, `"text":"${chance.pick(['\\ud83d', '\\udc00', '\xed\xa0\x80', '\xff\xfe'])}`),
  ),
  carriageReturn: edit((line) => `${line}\r`),
  allCarriageReturns: (lines) => {
    for (const [at, line] of lines.entries()) lines[at] = Buffer.concat([line, Buffer.from('\r')])
  },
  byteOrderMark: (lines) => {
    lines[0] = Buffer.concat([Buffer.from('\ufeff'), lines[0] ?? Buffer.alloc(0)])
  },
  zeroBytes: edit((line, chance) => {
    const zeros = '\0'.repeat(1 + chance.below(600))
    return chance.pick([`${zeros}${line}`, `${line}${zeros}`, zeros])
  }),
  strayLine: insert(
    '\0\ufeff{"type":"message"',
    '[1,2',
    '[]',
    '{}',
    'null',
    '0',
    '"text"',
    '{"type":"message"}',
    '{"type":"message","id":"z1","parentId":null,"message":null}',
    '{"type":"leaf","id":"z2","parentId":null,"targetId":"nowhere"}',
    '{"type":"leaf","id":"z3","parentId":null,"targetId":null}',
    '{"type":"reset","id":"z4","parentId":null,"reason":"new","firstKeptEntryId":"nowhere"}',
    '{"type":"session","version":3,"id":"other"}',
    '{"type":"from-tomorrow","id":"z5","parentId":"z5"}',
    '{"__proto__":null,"type":"custom","id":"__proto__","parentId":"constructor"}',
  ),
}

const NAMES = Object.keys(MUTATIONS)

/** A transcript damaged in one to six ways, always the same for the same seed. */
export function mutate(
  transcript: Buffer,
  seed: number,
): { readonly bytes: Buffer; readonly ways: readonly string[] } {
  const chance = new Chance(seed)
  const lines = splitBuffer(transcript).slice(0, 40 + chance.below(400))
  const ways: string[] = []
  for (let left = 1 + chance.below(6); left > 0; left--) {
    const way = chance.pick(NAMES)
    ways.push(way)
    if (lines.length > 0) MUTATIONS[way]?.(lines, chance)
  }
  const end = chance.below(2) === 0 ? '\n' : ''
  return {
    bytes: Buffer.concat([
      ...lines.flatMap((line, i) => (i === 0 ? [line] : [NEWLINE, line])),
      Buffer.from(end),
    ]),
    ways,
  }
}

const NEWLINE = Buffer.from('\n')

function splitBuffer(buffer: Buffer): Buffer[] {
  const lines: Buffer[] = []
  let from = 0
  for (let to = buffer.indexOf(10); to >= 0; to = buffer.indexOf(10, from)) {
    lines.push(buffer.subarray(from, to))
    from = to + 1
  }
  if (from < buffer.length) lines.push(buffer.subarray(from))
  return lines
}
