import { describe, expect, it } from 'vitest'
import { foundKind } from '../../../testing/builders/findings-in'
import { TranscriptBuilder } from '../../../testing/builders/transcript'

const SUMMARY = 'The berths were counted, and the crew knows where the cleat is broken. '.repeat(4)

type Fetch = { readonly tool: string; readonly args: object }

const read = (path: string, more = {}): Fetch => ({ tool: 'read', args: { path, ...more } })
const sh = (command: string): Fetch => ({ tool: 'exec', args: { command } })

class Talk {
  readonly builder = new TranscriptBuilder({ cwd: '/w' })
  private count = 0

  fetch({ tool, args }: Fetch, text = 'berth '.repeat(600)): this {
    const id = `t${++this.count}`
    this.builder.message({
      role: 'assistant',
      content: [{ type: 'toolCall', id, name: tool, arguments: args }],
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      stopReason: 'toolUse',
      usage: { input: 20_000, output: 20, cacheRead: 0, cacheWrite: 0, cost: { total: 0 } },
    })
    this.builder.result(id, text)
    return this
  }

  compact(summary = SUMMARY): this {
    this.builder.compaction(summary, this.builder.user('Go on.'))
    return this
  }

  found(pause?: number) {
    this.builder.assistant('Done.', { usage: { input: 20_000, output: 10 } })
    return foundKind(this.builder.facts(), 'wanted-again', pause === undefined ? {} : { pause })
  }
}

const FILES = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `/w/src/${name}-berths.ts`)
const again = (summary: string | undefined, then: (talk: Talk) => void = () => undefined) => {
  const talk = new Talk()
  talk.builder.user('Go.')
  for (const path of FILES) talk.fetch(read(path))
  talk.compact(summary)
  then(talk)
  for (const path of FILES) talk.fetch(read(path))
  return talk
}

describe('what a compaction took away was fetched again', () => {
  it('is found with what it cost to fetch it', () => {
    const found = again(undefined).found()
    expect(found).toMatchObject({
      severity: 'low',
      evidence: { times: 6 },
      cost: { calls: { value: 6 }, tokens: { basis: 'estimated' } },
      sentence: expect.stringMatching(/^6 results that compactions took away were fetched again: about /),
    })
    for (const pause of [3, 14, 16, 20]) expect(again(undefined).found(pause)).toEqual(found)
  })

  it('is none without a compaction, of what was kept, or of what was changed in between', () => {
    const talk = new Talk()
    talk.builder.user('Go.')
    for (const path of [...FILES, ...FILES]) talk.fetch(read(path))
    expect(talk.found()).toBeNull()
    const changed = again(undefined, (one) => {
      for (const path of FILES) one.fetch({ tool: 'edit', args: { path, oldText: 'a', newText: 'b' } })
    })
    expect(changed.found()).toBeNull()
    for (const shell of [
      ['bash', '-lc'],
      ['sh', '-c'],
      ['zsh', '-lc'],
    ]) {
      const removed = again(undefined, (one) => {
        for (const path of FILES) one.fetch({ tool: 'shell', args: { command: [...shell, `rm ${path}`] } })
      })
      expect(removed.found()).toBeNull()
    }
  })

  it('is none of what the summary names; how many these are is said', () => {
    expect(again(`${SUMMARY} Read: ${FILES.join(', ')}`).found()).toBeNull()
    const some = new Talk()
    some.builder.user('Go.')
    const named = '/w/src/named-berths.ts'
    for (const path of [...FILES, named]) some.fetch(read(path))
    some.compact(`${SUMMARY} See src/named-berths.ts.`)
    for (const path of [...FILES, named]) some.fetch(read(path))
    expect(some.found()?.sentence).toMatch(/Not counted: 1 that the summary named\.$/)
    const folders = new Talk()
    folders.builder.user('Go.')
    const listed = [...FILES.map((path) => read(path)), sh('ls .')]
    for (const one of listed) folders.fetch(one)
    folders.compact(`${SUMMARY} All is in src/.`)
    for (const one of listed) folders.fetch(one)
    expect(folders.found(), 'a folder without a name').toMatchObject({ evidence: { times: 7 } })
  })

  it('is none of other parts of a file, of files that the host reads by itself, and of commands that do something', () => {
    const rounds: ((round: number) => Fetch[])[] = [
      (round) => FILES.map((path) => read(path, { offset: round * 100, limit: 100 })),
      () =>
        ['AGENTS.md', 'SOUL.md', 'MEMORY.md', 'USER.md', 'TOOLS.md', 'memory/a.md'].map((path) => read(path)),
      () => FILES.map((path) => sh(`npm test -- ${path}`)),
      () => FILES.map((path) => sh(`cat ${path} > /tmp/copy`)),
    ]
    for (const round of rounds) {
      const talk = new Talk()
      talk.builder.user('Go.')
      for (const one of round(0)) talk.fetch(one)
      talk.compact()
      for (const one of round(1)) talk.fetch(one)
      expect(talk.found()).toBeNull()
    }
  })

  it('knows the same command and the same search again', () => {
    for (const one of [
      (path: string) => sh(`cd /w && sed -n '1,80p' ${path} | head -50`),
      (path: string): Fetch => ({ tool: 'grep', args: { pattern: `berth${path.length}`, path } }),
      (path: string): Fetch => ({
        tool: 'shell',
        args: { command: ['bash', '-lc', `rg -n "tide" ${path}`] },
      }),
    ]) {
      const talk = new Talk()
      talk.builder.user('Go.')
      for (const path of FILES) talk.fetch(one(path))
      talk.compact()
      for (const path of FILES) talk.fetch(one(path))
      expect(talk.found()).toMatchObject({ evidence: { times: 6 } })
    }
  })
})
