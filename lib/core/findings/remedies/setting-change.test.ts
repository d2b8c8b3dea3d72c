import { describe, expect, it } from 'vitest'
import { runtimeCompactLine } from '../../budget/runtime-lines'
import { readPolicy } from '../../policy/read-policy'
import { type RuntimeStore, runtimePolicy } from '../../policy/runtime/runtime-policy'
import { parseSource } from '../../policy/source-tree'
import type { SessionFinding, SettingLever } from '../finding'
import { editSetting } from './edit-setting'
import { keepLess, moveLine, pollLess, setWindow } from './offered'
import { type SettingFacts, settingValue } from './setting-change'

type Owner = 'openclaw' | 'pi' | 'claude-code' | 'codex'

const NAMES = {
  openclaw: 'openclaw.json',
  pi: 'settings.json',
  'claude-code': 'settings.json',
  codex: 'config.toml',
}

function factsOf(
  owner: Owner,
  text: string,
  version: string | null,
  window: number | null = 200_000,
): SettingFacts {
  const file = readPolicy(parseSource(text, NAMES[owner]), () => null)
  const store: RuntimeStore = {
    owner,
    era: version?.startsWith('2026.9') ? 'sqlite' : 'jsonl',
    version: version === null ? null : { value: version, from: 'a test' },
    files: [{ label: NAMES[owner], file }],
    own: null,
  }
  const session = { store: [], agent: null, channel: null, model: 'm', session: [], provider: 'p', at: null }
  return { store, policy: runtimePolicy(store, session), window, provider: 'p', model: 'm' }
}

const NOTHING: Pick<SessionFinding, 'evidence'> = {
  evidence: { times: 1, calls: [], lines: [], before: null, after: null },
}
const REMEDIES: { readonly [L in SettingLever]?: (owner: Owner) => ReturnType<typeof keepLess> } = {
  keep: keepLess,
  'line-up': (owner) => moveLine(owner, 'up', ''),
  'line-down': (owner) => moveLine(owner, 'down', ''),
  window: (owner) => setWindow(owner, 64_000, ''),
  heartbeat: pollLess,
}

function workedOut(lever: SettingLever, owner: Owner, facts: SettingFacts, finding = NOTHING) {
  const remedy = REMEDIES[lever]?.(owner)[0]
  if (remedy?.by !== 'setting') throw new Error(`${owner} has no ${lever}`)
  return settingValue(remedy, finding, facts)
}

/** The text after a remedy, and where its runtime compacts then. */
function tried(lever: SettingLever, owner: Owner, text: string, version: string | null) {
  const facts = factsOf(owner, text, version)
  const value = workedOut(lever, owner, facts)
  if (!value.can) throw new Error(value.why)
  const edit = editSetting(parseSource(text, NAMES[owner]), value.keys, value.value)
  if (typeof edit === 'string') throw new Error(edit)
  const after = factsOf(owner, edit.text, version)
  return {
    text: edit.text,
    from: runtimeCompactLine(facts.policy, 200_000),
    to: runtimeCompactLine(after.policy, 200_000),
  }
}

describe('a value for a setting', () => {
  it.each([
    ['openclaw', '{ agents: { defaults: { compaction: { mode: "default" } } } }', '2026.7.1'],
    ['openclaw', '{}', '2026.2.26'],
    ['pi', '{ "theme": "dark" }', null],
    ['claude-code', '{}', '2.1.330'],
    ['codex', 'model = "x"\n', '0.169.0'],
  ] as const)('moves the line of %s down by a tenth: %s', (owner, text, version) => {
    const { from, to } = tried('line-down', owner, text, version)
    expect(to).toBe(Math.floor(((from ?? 0) * 0.9) / 500) * 500)
  })

  it.each([
    [
      'openclaw',
      '{ agents: { defaults: { compaction: { reserveTokensFloor: 90000 } } } }',
      '2026.7.1',
      176_000,
    ],
    ['pi', '{ "compaction": { "reserveTokens": 120000 } }', null, 183_616],
    ['claude-code', '{ "autoCompactWindow": 120000 }', '2.1.330', 167_000],
    ['codex', 'model_auto_compact_token_limit = 24000 # early\n', '0.169.0', 189_473],
  ] as const)(
    'moves a line of %s that was set low up to where it is without a setting: %s',
    (owner, text, version, to) => {
      expect(tried('line-up', owner, text, version).to).toBe(to)
      const highest = workedOut('line-up', owner, factsOf(owner, owner === 'codex' ? '' : '{}', version))
      expect(highest).toMatchObject({ can: false, why: expect.stringContaining('as high as') })
    },
  )

  it('takes from what is kept what is too much after a compaction', () => {
    const facts = factsOf('pi', '{}', null)
    expect(workedOut('keep', 'pi', facts)).toMatchObject({ can: true, value: 10_000 })
    const full = { evidence: { ...NOTHING.evidence, before: 180_000, after: 125_000 } }
    // 60 % of 183,616 is 110,169: 14,831 too much of 20,000 kept.
    expect(workedOut('keep', 'pi', facts, full)).toMatchObject({ can: true, value: 5_000 })
    const little = factsOf('pi', '{ "compaction": { "keepRecentTokens": 2000 } }', null)
    expect(workedOut('keep', 'pi', little)).toMatchObject({ can: false })
  })

  it('is not offered where its effect in the version is not known', () => {
    for (const [lever, owner, version] of [
      ['line-down', 'codex', '0.140.0'],
      ['line-down', 'codex', null],
      ['line-down', 'codex', '0.169.0-alpha.1'],
      ['line-down', 'claude-code', '2.1.2'],
      ['line-down', 'claude-code', '2.1.331'],
      ['keep', 'openclaw', '2027.1.1'],
      ['keep', 'openclaw', null],
    ] as const)
      expect(workedOut(lever, owner, factsOf(owner, '', version))).toMatchObject({
        can: false,
        why: expect.stringContaining('not known'),
      })
    expect(workedOut('line-down', 'openclaw', factsOf('openclaw', '{}', '2026.9.6'))).toMatchObject({
      can: false,
      why: 'OpenClaw 2026.9.6 has no setting for it any more.',
    })
    expect(workedOut('heartbeat', 'openclaw', factsOf('openclaw', '{}', '2026.7.1'))).toMatchObject({
      can: false,
    })
    expect(workedOut('line-down', 'pi', factsOf('pi', '{}', null, null))).toMatchObject({ can: false })
  })

  it('is not offered where another place counts more', () => {
    const text = '{ "env": { "CLAUDE_CODE_AUTO_COMPACT_WINDOW": "150k" } }'
    expect(workedOut('line-down', 'claude-code', factsOf('claude-code', text, '2.1.330'))).toMatchObject({
      can: false,
      why: expect.stringContaining('counts more'),
    })
  })

  it('switches compaction on where it is off', () => {
    const { from, to, text } = tried('line-down', 'pi', '{ "compaction": { "enabled": false } }', null)
    expect([from, to]).toEqual([null, 183_616])
    expect(text).toBe('{ "compaction": { "enabled": true } }')
    const claw = '{ agents: { defaults: { compaction: { enabled: false } } } }'
    const switched = tried('line-down', 'openclaw', claw, '2026.9.6')
    expect([switched.from, switched.to]).toEqual([null, 180_000])
    expect(switched.text).toBe(claw.replace('false', 'true'))
    const off = factsOf('claude-code', '{ "env": { "DISABLE_COMPACT": "1" } }', '2.1.330')
    expect(workedOut('line-down', 'claude-code', off)).toMatchObject({
      can: false,
      why: expect.stringContaining('env.DISABLE_COMPACT'),
    })
  })

  it('is set in a file that is still to be made, or says nothing yet', () => {
    const keys = { at: 'path', path: ['archive', 'enabled'] } as const
    const made = (text: string) => editSetting(parseSource(text, 'plimsoll.yaml'), keys, true)
    expect(made('')).toMatchObject({ from: undefined, to: true, text: 'archive:\n  enabled: true\n' })
    expect(made('# Mine.\n')).toMatchObject({ text: expect.stringContaining('# Mine.') })
    expect(editSetting(parseSource('', 'settings.json'), keys, true)).toMatchObject({ to: true })
  })

  it('finds the entry of a model in OpenClaw’s catalogue, and keeps every other byte', () => {
    const text = `{ models: { providers: { p: { models: [ { id: 'other', contextWindow: 1 }, // one\n { id: 'm', contextWindow: 200000, }, ] } } } }\n`
    const value = workedOut('window', 'openclaw', factsOf('openclaw', text, '2026.9.6'))
    if (!value.can) throw new Error(value.why)
    const edit = editSetting(parseSource(text, 'openclaw.json'), value.keys, value.value)
    expect(edit).toMatchObject({ from: 200_000, to: 64_000, text: text.replace('200000', '64000') })
    expect(editSetting(parseSource('{}', 'openclaw.json'), value.keys, 1)).toMatch(/no entry for m/)
    expect(editSetting(parseSource('{ a', 'openclaw.json'), value.keys, 1)).toMatch(/Mend the file/)
  })
})
