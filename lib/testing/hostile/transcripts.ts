const HEADER = { type: 'session', version: 3, id: 's1', timestamp: '2026-11-01T08:00:00.000Z', cwd: '/w' }

function leaf(i: number, targetId: string) {
  return { type: 'leaf', id: `l${i}`, parentId: 'e0', targetId, timestamp: HEADER.timestamp }
}

function message(id: string, parentId: string | null, role: 'user' | 'assistant' = 'user', text = 'a word') {
  const content = role === 'user' ? text : [{ type: 'text', text }]
  const usage = { input: 5, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 10 }
  return {
    type: 'message',
    id,
    parentId,
    timestamp: '2026-11-01T08:00:01.000Z',
    message:
      role === 'user'
        ? { role, content }
        : { role, content, stopReason: 'stop', model: 'm', provider: 'p', usage },
  }
}

function lines(entries: Iterable<object | string>): string {
  let text = ''
  for (const entry of entries) text += `${typeof entry === 'string' ? entry : JSON.stringify(entry)}\n`
  return text
}

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

/**
 * Transcripts of `n` entries (or a few times that many) whose tree costs a careless reader the square of their number,
 * or a place on the stack for each.
 */
export const HOSTILE_TRANSCRIPTS: { readonly [name: string]: (n: number) => string } = {
  'children before their parent': (n) =>
    lines([HEADER, ...times(n, (i) => message(`e${i}`, 'late')), message('late', null)]),
  'a chain from its end to its beginning': (n) =>
    lines([HEADER, ...times(n, (i) => message(`e${n - i}`, i === n - 1 ? null : `e${n - i - 1}`))]),
  'one conversation of many messages': (n) =>
    lines([
      HEADER,
      ...times(n, (i) => message(`e${i}`, i === 0 ? null : `e${i - 1}`, i % 2 === 0 ? 'user' : 'assistant')),
    ]),
  'messages of the user alone': (n) =>
    lines([HEADER, ...times(n, (i) => message(`e${i}`, i === 0 ? null : `e${i - 1}`))]),
  'jumps back to the beginning': (n) =>
    lines([HEADER, message('e0', null), ...times(n, (i) => leaf(i, 'e0'))]),
  'jumps to what never was': (n) =>
    lines([HEADER, message('e0', null), ...times(n, (i) => leaf(i, `x${i}`))]),
  'circles of two behind a long chain': (n) =>
    lines([
      HEADER,
      ...times(n, (i) => message(`e${i}`, i === 0 ? null : `e${i - 1}`)),
      ...times(n / 2, (i) => [message(`a${i}`, `b${i}`), message(`b${i}`, `a${i}`)]).flat(),
    ]),
  'one circle of all': (n) => lines([HEADER, ...times(n, (i) => message(`e${i}`, `e${(i + 1) % n}`))]),
  'parents that do not exist': (n) => lines([HEADER, ...times(n, (i) => message(`e${i}`, `x${i}`))]),
  'what is beside the conversation, with parents that do not exist': (n) =>
    lines([
      HEADER,
      message('e0', null),
      ...times(n, (i) => ({
        type: 'label',
        id: `e${i + 1}`,
        parentId: `x${i}`,
        targetId: 'e0',
        label: 'l',
        timestamp: HEADER.timestamp,
      })),
    ]),
  'broken lines in a chain, and all else behind the last': (n) =>
    lines([
      HEADER,
      message('e0', null),
      ...times(
        n,
        (i) => `{"type":"message","id":"g${i}","parentId":"${i === 0 ? 'e0' : `g${i - 1}`}","message":{"role`,
      ),
      ...times(n, (i) => message(`e${i + 1}`, `g${n - 1}`)),
    ]),
  'the same id for all': (n) => lines([HEADER, ...times(n, (i) => message('same', i === 0 ? null : 'same'))]),
  'compactions that keep what never was': (n) =>
    lines([
      HEADER,
      message('e0', null),
      ...times(n, (i) => ({
        ...{
          type: 'compaction',
          id: `c${i}`,
          parentId: i === 0 ? 'e0' : `c${i - 1}`,
          firstKeptEntryId: `x${i}`,
        },
        ...{ summary: 's', tokensBefore: 5, timestamp: HEADER.timestamp },
      })),
    ]),
  'branches at every message': (n) =>
    lines([HEADER, ...times(n, (i) => message(`e${i}`, i === 0 ? null : `e${Math.floor((i - 1) / 2)}`))]),
}
