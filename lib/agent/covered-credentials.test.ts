import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { maskSecrets } from '../core/redaction/secrets'
import type { SourceMessage } from '../core/summary/source-message'
import { estimateUnits } from '../core/tokens/estimate'
import { checkpointSummary } from '../engine/compaction/checkpoint-summary'
import type { Summarizer } from '../engine/summary/summarizer'
import { SummaryChain } from '../engine/summary/summary-chain'
import { type SummaryMaterial, writeSummary } from '../engine/summary/write-summary'
import { readableStretch, SECRET_FORMS } from '../testing/hostile/secret-forms'
import { scriptedSummarizer, soundSummary, standingClock } from '../testing/scripted-summarizer'
import { summariseWork } from './summarise-work'

/** How many of the forms may be read. */
const MOST_READ = 4

function said(role: SourceMessage['role'], text: string, more: Partial<SourceMessage> = {}): SourceMessage {
  return { entryId: 'e', line: 1, role, text, calls: [], images: 0, ...more }
}

/** A conversation in which a credential is asked about, written to a file, printed and repeated. */
function conversation(text: string): SourceMessage[] {
  const bash = { id: 'b', name: 'bash', input: { command: `cat <<END > .env\n${text}\nEND` } }
  const write = { id: 'w', name: 'write', input: { path: 'src/env.ts', content: text } }
  return [
    said('user', `Please store this and use it for the harbour:\n${text}`),
    said('assistant', 'We decided to keep it in a file.', { calls: [write, bash] }),
    said('toolResult', text, { resultFor: 'b', toolName: 'bash' }),
    said('toolResult', `Error: refused\n${text}`, { resultFor: 'w', toolName: 'write', isError: true }),
    said('assistant', `Never print it again:\n${text}`),
    said('user', `Check again with\n${text}`),
  ]
}

function material(messages: readonly SourceMessage[], text: string): SummaryMaterial {
  return {
    pruned: messages.slice(0, 1),
    parts: [messages.slice(1, 4)],
    prefix: messages.slice(4),
    oversized: [],
    previous: `- it was\n${text}`,
    archive: [],
    newestAsk: messages.at(-1)?.text ?? null,
    important: [text],
    recentTurns: messages.slice(3),
    workspaceRules: `Use this:\n${text}`,
  }
}

const summary = { sizeOf: estimateUnits, mask: maskSecrets, isSecret: () => false }

function options(models: readonly Summarizer[]) {
  const chain = models.length === 0 ? null : new SummaryChain(models, standingClock())
  return { ...summary, policy: DEFAULT_POLICY, chain, focus: null, maxTokens: 2_000 }
}

/** Forms of which something can be read in what this makes of a conversation with one of them. */
async function readIn(texts: (text: string) => Promise<readonly string[]>): Promise<string[]> {
  const read: string[] = []
  for (const { name, draw } of SECRET_FORMS) {
    const { text, secret } = draw()
    const stretch = readableStretch((await texts(text)).join('\n'), secret)
    if (stretch !== null) read.push(`${name}: ${stretch} of ${text}`)
  }
  return read.slice(MOST_READ)
}

describe('X20 a credential in any form', () => {
  test('M15: is not in a digest, whatever it is made of', async () => {
    const read = await readIn(async (text) => {
      const given = material(conversation(text), text)
      const digests = [given, { ...given, archive: conversation(text) }]
      return Promise.all(
        digests.map(async (one) => {
          const made = await writeSummary(one, options([]))
          return made.kind === 'written' ? made.summary.text : ''
        }),
      )
    })
    expect(read).toEqual([])
  })

  test('is not in what a model is asked, nor in what is beside its answer', async () => {
    const read = await readIn(async (text) => {
      const model = scriptedSummarizer('a/m', [soundSummary('harbour')])
      const made = await writeSummary(material(conversation(text), text), options([model]))
      expect(model.asked.length).toBeGreaterThan(0)
      return [JSON.stringify(model.asked), made.kind === 'written' ? made.summary.text : '']
    })
    expect(read).toEqual([])
  })

  test('is not in a summary of work, nor in one that a checkpoint covers', async () => {
    const read = await readIn(async (text) => {
      const messages = conversation(text)
      const work = await summariseWork(messages, text, {
        policy: DEFAULT_POLICY,
        chain: null,
        summary,
        maxTokens: 2_000,
      })
      const covering = { text, tokens: 10, uptoSeq: 0 }
      const ask = { newestAsk: text, important: [text], workspaceRules: text }
      const covered = checkpointSummary(covering, messages, ask, { ...summary, focus: null })
      return [work.kind === 'written' ? work.text : '', covered.text]
    })
    expect(read).toEqual([])
  })
})
