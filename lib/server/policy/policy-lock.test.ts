import { describe, expect, it } from 'vitest'
import { readPolicy } from '../../core/policy/read-policy'
import { parseSource } from '../../core/policy/source-tree'
import { HOSTILE_EDITS } from '../../testing/hostile/policy-edits'
import { lockedProblems } from './policy-lock'

const problemsOf = (path: string, role: 'own' | 'store', text: string, after: string) =>
  lockedProblems({ path, role, text, file: readPolicy(parseSource(text, path)) }, { text: after })

describe('what no page may change', () => {
  it.each(HOSTILE_EDITS)('X20 $role: $name', ({ file, role, before, after }) => {
    const problems = problemsOf(file, role, before, after)
    expect(problems.length).toBeGreaterThan(0)
    for (const problem of problems) expect(problem).toMatchObject({ severity: 'error', file })
    expect(problemsOf(file, role, before, before)).toEqual(
      // A file that cannot be read stays one.
      before.endsWith('[\n') ? [expect.anything()] : [],
    )
  })

  it('names the key, its line, and what to write into the file', () => {
    const [problem] = problemsOf(
      '/s/plimsoll.yaml',
      'own',
      'policy: {}\n',
      'policy: {}\nhooks: { beforeCompaction: [id] }\n',
    )
    expect(problem).toMatchObject({ line: 2, key: 'hooks' })
    expect(problem?.message).toContain(
      'Write it into plimsoll.yaml yourself: hooks: {"beforeCompaction":["id"]}',
    )
  })

  it('is not all the rest: numbers, switches, names, prices, comments, the order of keys', () => {
    const before =
      '# mine\nhooks: { beforeCompaction: [note], timeoutSeconds: 5 }\npolicy: { preset: vs7, logs: { path: /srv } }\n'
    const after =
      '# ours\npolicy: { logs: { path: "/srv", drops: false }, preset: goclaw, summary: { model: openai/gpt-5 }, lines: { compact: { at: 0.6 } } }\nprices: { m: { input: 1, output: 2 } }\nbackups: { keep: 60d }\noverrides: [{ agent: a, policy: { window: { cap: 9 } } }]\nhooks: { timeoutSeconds: 5, beforeCompaction: [note] }\n'
    expect(problemsOf('/s/plimsoll.yaml', 'own', before, after)).toEqual([])
    expect(problemsOf('/s/plimsoll.yaml', 'own', '', 'policy: { preset: vs7 }\n')).toEqual([])
  })

  it('is not what the policy is read from in a runtime’s file', () => {
    const file = (floor: number, window: number, mode: string) =>
      JSON.stringify({
        gateway: { auth: { token: 't' } },
        models: { providers: { p: { models: [{ id: 'm', contextWindow: window }] } } },
        agents: {
          defaults: {
            compaction: { reserveTokensFloor: floor, mode },
            params: { responsesServerCompaction: floor > 1 },
          },
        },
        channels: { telegram: { historyLimit: floor } },
      })
    expect(
      problemsOf('/s/openclaw.json', 'store', file(1, 1000, 'default'), file(2, 2000, 'safeguard')),
    ).toEqual([])
    expect(problemsOf('/s/context-config.yaml', 'store', '', 'RELEVANCE_CUTOFF: 0.4\n')).toEqual([])
  })

  it.each([
    ['fifty thousand keys', () => Array.from({ length: 50_000 }, (_, i) => `key${i}: ${i}\n`).join('')],
    ['closing brackets', () => `a: ${'}'.repeat(15_000)}\n`],
    ['lists inside one another', () => '['.repeat(15_000)],
    ['a text of millions of characters', () => `a: "${'x'.repeat(2_000_000)}"\n`],
  ])('is not even compared in a file beyond all bounds, from the page or on disk: %s', (_name, make) => {
    const bomb = make()
    const small = 'policy: { preset: vs7 }\n'
    for (const role of ['own', 'store'] as const)
      for (const [before, after] of [
        [small, bomb],
        [bomb, small],
      ] as const) {
        const file = `/s/${role === 'own' ? 'plimsoll' : 'config'}.yaml`
        const found = problemsOf(file, role, before, after)
        // What another reader of the text would say is not here: no other one was given it.
        expect(found).toEqual(parseSource(bomb, file).problems)
        expect(found).toMatchObject([
          { severity: 'error', file, message: expect.stringMatching(/not read$/) },
        ])
      }
  })

  it('mends a file with a fault of syntax', () => {
    const mended = 'policy: { preset: vs7 }\nhooks: { beforeCompaction: [note] }\n'
    expect(problemsOf('/s/plimsoll.yaml', 'own', `${mended}prices: [\n`, mended)).toEqual([])
  })
})
