import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { FORM_NAMES, type FormName } from '../core/forms/form-name'
import { countMessage } from '../core/history/count-message'
import { joinParts, splitMessages } from '../core/history/message-parts'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Encoding } from '../core/tokens/bpe-vocabulary'
import { countExact } from '../core/tokens/exact'
import { type Random, seededRandom } from '../demo/random'
import { coldAgent, MEMFAS, NOW } from '../testing/cold-conversation'
import type { TalkStep } from '../testing/forms/steps'
import { writtenIn } from '../testing/forms/write-form'
import { CONTENT_FORM } from './content-form'
import { ContextManager } from './context-manager'
import { Conversation } from './conversation'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Prose, code and data, as agents read them. */
const SOURCES = [
  'README.md',
  'lib/docs/openclaw.md',
  'lib/agent/context-manager.ts',
  'package-lock.json',
].map((file) => readFileSync(join(ROOT, file), 'utf8'))

/** Conversations about the texts of this checkout: the same for the same seed. */
function talks(turns: number, random: Random): TalkStep[] {
  const piece = (most: number) => {
    const source = random.pick(SOURCES)
    const size = random.int(40, most)
    const from = random.int(0, Math.max(0, source.length - size))
    return source.slice(from, from + size).trim() || 'berth'
  }
  return Array.from({ length: turns }, (_, turn): TalkStep[] => [
    { kind: 'ask', text: piece(400), attachment: 'none', marked: false },
    {
      kind: 'answer',
      text: piece(600),
      thinking: 'none',
      server: false,
      refuses: false,
      aside: '',
      calls: [0, 1].map((n) => ({
        id: `call_${turn}_${n}`,
        path: `lib/agent/part-${turn}.ts`,
        answer: { kind: 'text', text: piece(3_000) },
      })),
    },
  ]).flat()
}

/** What the texts of a conversation are to a tokenizer, with what an API adds to each message. */
async function exactly(steps: readonly TalkStep[], form: FormName, encoding: Encoding = 'o200k_base') {
  let tokens = 0
  const add = async (text: string, frame: number) => {
    tokens += (await countExact(text, encoding)).tokens + frame
  }
  for (const step of steps) {
    await add(step.text, 4)
    if (step.kind === 'ask') continue
    for (const { path, answer } of step.calls) {
      // Plain texts keep no calls; what tools said is in the answer.
      if (form !== 'plain') await add(`read ${JSON.stringify({ path })}`, 0)
      await add(answer.text, form === 'plain' ? 0 : 4)
    }
  }
  return tokens
}

const sumOf = (messages: readonly ContentMessage[]) =>
  messages.reduce((sum, message) => sum + countMessage(message), 0)
const offBy = (estimate: number, truth: number) => Math.abs(estimate - truth) / truth

describe.each(FORM_NAMES)('B2 messages of the form %s', (form) => {
  test('are counted as a tokenizer counts them, within the error that is stated', async () => {
    const misses: number[] = []
    for (let seed = 1; seed <= 12; seed += 1) {
      const steps = talks(6, seededRandom(seed))
      const messages = writtenIn(form, steps)
      misses.push(offBy(sumOf(messages), await exactly(steps, form)))
      // Taken apart they are no more and no less.
      expect(offBy(sumOf(joinParts(splitMessages(messages))), sumOf(messages))).toBe(0)
    }
    misses.sort((a, b) => a - b)
    expect(misses.at(-1)).toBeLessThan(0.15)
    expect(misses[6]).toBeLessThan(0.07)
  })

  test('are counted nearer once the provider has reported, also after a compaction', async () => {
    // It counts with another vocabulary, and gets tools that are not shown.
    const tools = 2_500
    const truthOf = async (steps: readonly TalkStep[]) =>
      tools + (await exactly(steps, form, 'cl100k_base')) * 1.15
    const steps = talks(14, seededRandom(7))
    const measure = async (reports: boolean) => {
      const talk = new Conversation()
      const { cold } = coldAgent([], MEMFAS)
      const context = new ContextManager({
        policy: DEFAULT_POLICY,
        window: 1_000_000,
        key: null,
        promptCache: null,
        agent: { ...talk, session: 's', clock: { now: () => NOW }, form: CONTENT_FORM, cold },
      })
      for (let end = 4; end <= 24; end += 4) {
        talk.setContext(writtenIn(form, steps.slice(0, end)))
        await context.afterResponse(
          reports ? { usage: { prompt: await truthOf(steps.slice(0, end)), output: 0 } } : {},
        )
      }
      talk.add(...writtenIn(form, steps.slice(24)))
      const grown = offBy((await context.status()).tokens.value ?? 0, await truthOf(steps))
      // Half of it goes; what is left is known in its steps.
      talk.setContext(writtenIn(form, steps.slice(14)))
      const shrunk = offBy((await context.status()).tokens.value ?? 0, await truthOf(steps.slice(14)))
      return { grown, shrunk }
    }
    const [plain, anchored] = [await measure(false), await measure(true)]
    expect(anchored.grown).toBeLessThan(0.03)
    expect(anchored.shrunk).toBeLessThan(0.08)
    expect(anchored.grown).toBeLessThan(plain.grown / 3)
    expect(anchored.shrunk).toBeLessThan(plain.shrunk / 3)
  })
})
