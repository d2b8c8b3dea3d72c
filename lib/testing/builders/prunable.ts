import fc from 'fast-check'
import type { PrunePolicy } from '../../core/pruning/prune-context'
import { type PruneContext, pruneContext } from '../../core/pruning/prune-context'
import { pruneIndex } from '../../core/pruning/prune-index'
import { type PruneMessage, pruneMessage } from '../../core/pruning/prune-message'
import type { JsonObject } from '../../core/transcript/json'

/** A message as runtimes keep it, with its time. */
export type RawMessage = JsonObject & { readonly role: string; readonly timestamp: number }

/** The time of the first message of a built context; each one later is a second younger. */
export const START = Date.UTC(2026, 10, 1, 8)

const text = (value: string) => [{ type: 'text', text: value }]

/** Writes messages as pi and OpenClaw keep them, one each second. */
export class Prunable {
  readonly messages: RawMessage[] = []
  private count = 0

  user(value: string): this {
    return this.add({ role: 'user', content: text(value) })
  }

  says(value: string): this {
    return this.add({ role: 'assistant', content: text(value) })
  }

  /** A call and its result. */
  call(
    name: string,
    input: JsonObject,
    answer: string,
    over: { readonly isError?: boolean; readonly images?: number } = {},
  ): this {
    const id = `t${this.count++}`
    this.add({ role: 'assistant', content: [{ type: 'toolCall', id, name, arguments: input }] })
    const images = Array.from({ length: over.images ?? 0 }, () => ({
      type: 'image',
      data: 'AA==',
      mimeType: 'image/png',
    }))
    return this.add({
      role: 'toolResult',
      toolCallId: id,
      toolName: name,
      content: [...text(answer), ...images],
      isError: over.isError ?? false,
    })
  }

  /** Several calls in one message, and their results in the opposite order. */
  parallel(...calls: readonly (readonly [name: string, input: JsonObject, answer: string])[]): this {
    const made = calls.map(([name, input, answer]) => ({ id: `t${this.count++}`, name, input, answer }))
    this.add({
      role: 'assistant',
      content: made.map(({ id, name, input }) => ({ type: 'toolCall', id, name, arguments: input })),
    })
    for (const { id, name, answer } of made.toReversed())
      this.add({ role: 'toolResult', toolCallId: id, toolName: name, content: text(answer), isError: false })
    return this
  }

  private add(message: JsonObject & { role: string }): this {
    this.messages.push({ ...message, timestamp: START + this.messages.length * 1000 })
    return this
  }
}

/** Raw messages as pruning reads them; a token for four characters. */
export function readPrunable(messages: readonly RawMessage[]): PruneMessage[] {
  return messages.map((message, i) => {
    const read = pruneMessage(message, { entryId: `m${i}`, tokens: 0, at: message.timestamp })
    return { ...read, tokens: Math.ceil(read.chars / 4) }
  })
}

/** A context of raw messages. `age`: how long ago its last message was written, in milliseconds. */
export function prunableContext(
  messages: readonly RawMessage[],
  policy: PrunePolicy,
  { age = 600_000, window = 200_000 }: { readonly age?: number; readonly window?: number } = {},
): PruneContext {
  const last = messages.at(-1)?.timestamp ?? START
  return pruneContext(pruneIndex(readPrunable(messages)), {
    policy,
    window,
    now: last + age,
    lastTouchAt: last,
  })
}

const tool = fc.constantFrom('read', 'write', 'edit', 'bash', 'process', 'todo_write', 'web_fetch')
const path = fc.constantFrom('berth.md', './berth.md', 'src/crane.ts', 'log.txt')
const long = fc.oneof(
  fc.constantFrom('ok', '', '岸壁の記録'.repeat(40), 'crane '.repeat(50)),
  fc
    .constantFrom(1, 130, 900, 3999, 4000, 4001, 6000, 9000)
    .map((length) => 'berth 4 is free. '.repeat(600).slice(0, length)),
)

const step = fc.record({
  kind: fc.constantFrom('user', 'says', 'call', 'call', 'call', 'call', 'parallel'),
  tool,
  path,
  whole: fc.boolean(),
  input: long,
  answer: long,
  isError: fc.boolean(),
  images: fc.constantFrom(0, 0, 0, 1),
})

/** Whole contexts with calls of all kinds, failures, images and texts of every length. */
export const prunableMessages: fc.Arbitrary<RawMessage[]> = fc.array(step, { maxLength: 40 }).map((steps) => {
  const made = new Prunable()
  for (const one of steps) {
    if (one.kind === 'user') made.user(one.answer)
    else if (one.kind === 'says') made.says(one.answer)
    else {
      const read = one.whole ? { path: one.path } : { path: one.path, offset: 4, limit: 10 }
      const input =
        one.tool === 'bash'
          ? { command: `cat ${one.path}` }
          : one.tool === 'read'
            ? read
            : { path: one.path, content: one.input }
      if (one.kind === 'parallel')
        made.parallel(
          [one.tool, input, one.answer],
          ['write', { path: one.path, content: one.input }, 'ok'],
          ['write', { path: 'log.txt', content: one.input }, one.answer],
        )
      else made.call(one.tool, input, one.answer, { isError: one.isError, images: one.images })
    }
  }
  return made.messages
})
