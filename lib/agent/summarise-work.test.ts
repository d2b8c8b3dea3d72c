import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { mergedText } from '../core/summary/prompts'
import type { SourceMessage } from '../core/summary/source-message'
import { charsOverFour } from '../core/tokens/estimate'
import { SummaryChain } from '../engine/summary/summary-chain'
import { scriptedSummarizer, standingClock } from '../testing/scripted-summarizer'
import { summariseResults, summariseWork } from './summarise-work'

const base = { line: 0, images: 0 }
const result = (id: string, text: string): SourceMessage => ({
  ...base,
  entryId: `r${id}`,
  role: 'toolResult',
  text,
  calls: [],
  resultFor: id,
  toolName: 'read',
})
const call = (id: string, name: string, input: { [key: string]: unknown }): SourceMessage => ({
  ...base,
  entryId: `a${id}`,
  role: 'assistant',
  text: '',
  calls: [{ id, name, input }],
})

function asking(...replies: Parameters<typeof scriptedSummarizer>[1]) {
  const model = scriptedSummarizer('a/m', replies)
  const options = {
    policy: DEFAULT_POLICY,
    chain: new SummaryChain([model], standingClock()),
    summary: { sizeOf: charsOverFour, mask: (text: string) => text, isSecret: () => false },
    maxTokens: 50,
  }
  return { model, options }
}

describe('summaries of work', () => {
  it('D21 tool results: the prompt asks for errors, findings, paths and values, and the answer is cut to its limit', async () => {
    const { model, options } = asking('Berth 4 is free. '.repeat(100))
    const done = await summariseResults([result('1', 'E42 in src/dock.ts')], options)
    expect(done).toMatchObject({ kind: 'written', by: 'a/m' })
    expect(charsOverFour(done.kind === 'written' ? done.text : '')).toBeLessThanOrEqual(50)
    const prompt = model.asked[0]?.prompt.user ?? ''
    expect(prompt).toMatch(
      /two to 3 sentences\.[\s\S]*Keep errors, key findings, paths of files[\s\S]*values that matter/,
    )
    expect(prompt).toContain('E42 in src/dock.ts')
  })

  it('D22 a session of work: tasks that are done, tools, files, three headings; the answer is cut to its limit', async () => {
    const { model, options } = asking(`## Done\n${'Much. '.repeat(200)}`)
    const todos = [
      { content: 'Clear berth 4', status: 'completed' },
      { content: 'Mend crane 2', status: 'pending' },
    ]
    const work = [
      call('1', 'todo_write', { todos }),
      result('1', 'ok'),
      call('2', 'write', { path: 'log.md', content: 'x' }),
      result('2', 'ok'),
    ]
    const done = await summariseWork(work, 'Berth 3 was full.', options)
    expect(charsOverFour(done.kind === 'written' ? done.text : '')).toBeLessThanOrEqual(50)
    const prompt = model.asked[0]?.prompt.user ?? ''
    expect(prompt).toContain(
      'Tasks completed: Clear berth 4\nTools used: todo_write, write\nFiles affected: log.md',
    )
    expect(prompt).toContain('## Done\n## Learned\n## Pending')
    expect(prompt).toContain('[earlier summary] Berth 3 was full.')
  })

  it('J5 an answer that is none is a failure and says why; without a model a digest within the limit is there', async () => {
    const { options } = asking("I'm sorry, I can't.")
    expect(await summariseWork([result('1', 'x')], null, options)).toEqual({
      kind: 'failed',
      notes: ['a/m: The model declined.'],
    })
    const digest = await summariseWork([result('1', 'berth '.repeat(500))], null, {
      ...options,
      chain: null,
      maxTokens: 300,
    })
    expect(digest).toMatchObject({ kind: 'written', by: null, notes: [] })
    expect(charsOverFour(digest.kind === 'written' ? digest.text : '')).toBeLessThanOrEqual(300)
  })

  it('a stopped run changes nothing', async () => {
    const { options } = asking({ fault: 'aborted' })
    expect(await summariseWork([result('1', 'x')], null, options)).toEqual({ kind: 'stopped' })
  })

  it('D21 the same for results: a refusal is a failure, and a stopped run changes nothing', async () => {
    const refused = asking("I'm sorry, I can't.")
    expect(await summariseResults([result('1', 'x')], refused.options)).toEqual({
      kind: 'failed',
      notes: ['a/m: The model declined.'],
    })
    const stopped = asking({ fault: 'aborted' })
    expect(await summariseResults([result('1', 'x')], stopped.options)).toEqual({ kind: 'stopped' })
  })

  it('D21 where a part of many could not be said in short, nothing more is asked and nothing is written', async () => {
    const many = Array.from({ length: 160 }, (_, i) => result(`${i}`, 'berth '.repeat(2_000)))
    for (const summarise of [
      (options: Parameters<typeof summariseResults>[1]) => summariseResults(many, options),
      (options: Parameters<typeof summariseResults>[1]) => summariseWork(many, null, options),
    ]) {
      const { model, options } = asking('Berth 4 is free.', {})
      expect(await summarise(options)).toMatchObject({ kind: 'failed', notes: ['a/m is down.'] })
      expect(model.asked).toHaveLength(2)
    }
  })

  it('D22 a digest carries what was said before', async () => {
    const { options } = asking('')
    for (const chain of [null, new SummaryChain([], standingClock())]) {
      const done = await summariseWork([result('1', 'x')], '## Decisions\n- Berth 3 stays closed.', {
        ...options,
        ...{ chain, maxTokens: 300 },
      })
      expect(done).toMatchObject({ kind: 'written', by: null })
      expect(done.kind === 'written' && done.text).toContain('Berth 3 stays closed.')
      const results = await summariseResults([result('1', 'x')], { ...options, chain })
      expect(results).toMatchObject({ kind: 'written', by: null })
    }
  })

  it('D21 D22 each message is a paragraph of the prompt, and one that says nothing is none', async () => {
    const [one, two] = [result('1', 'Berth 4.'), result('3', 'Berth 5.')]
    const { model, options } = asking('Free.')
    await summariseResults([one, result('2', ''), two], options)
    expect(model.asked[0]?.prompt.user).toMatch(/Berth 4\.\n\n\[[^\n]*Berth 5\./)
    const many = Array.from({ length: 160 }, (_, i) => result(`${i}`, 'berth '.repeat(2_000)))
    const parts = asking('In short.')
    await summariseResults(many, parts.options)
    const prompts = parts.model.asked.map(({ prompt }) => prompt.user)
    expect(prompts.length).toBeGreaterThan(2)
    expect(prompts[0]).toMatch(/berth[^\n]*\n\n\[/)
    expect(prompts.at(-1)).toContain(`>\n${mergedText(prompts.slice(1).map(() => 'In short.'))}\n<`)
  })

  it('D22 at most 40 tools are named, each once', async () => {
    const { model, options } = asking('## Done\nMuch.')
    const calls = Array.from({ length: 90 }, (_, i) => call(`${i}`, `tool${i % 45}`, {}))
    await summariseWork(calls, null, options)
    const [, tools = ''] = /Tools used: (.*)/.exec(model.asked[0]?.prompt.user ?? '') ?? []
    expect(tools.split(', ')).toEqual(Array.from({ length: 40 }, (_, i) => `tool${i}`))
  })
})
