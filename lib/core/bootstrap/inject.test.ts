import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { workspaceFile } from '../../testing/builders/workspace'
import { splitWindow } from '../budget/regions'
import { buildSystemPrompt } from '../history/system-prompt'
import { DEFAULT_POLICY } from '../policy/default-policy'
import { BOOTSTRAP_FILES } from '../policy/knobs/bootstrap'
import { bootstrapCaps } from './caps'
import { type BootstrapHook, runHooks } from './hooks'
import { type BootstrapInput, injectBootstrap } from './inject'

const policy = DEFAULT_POLICY.bootstrap
const ALL = BOOTSTRAP_FILES.map((name) => workspaceFile(name))

function inject(over: Partial<BootstrapInput>) {
  return injectBootstrap({ files: ALL, policy, caps: bootstrapCaps(policy, null), ...over })
}

describe('bootstrap files', () => {
  it('O1 are put in in the order of the policy, fresh each time', () => {
    const first = inject({ files: ALL.toReversed() })
    expect(first.files.map(({ name }) => name)).toEqual([
      'AGENTS.md',
      'SOUL.md',
      'TOOLS.md',
      'IDENTITY.md',
      'USER.md',
      'HEARTBEAT.md',
      'BOOTSTRAP.md',
      'MEMORY.md',
    ])
    const [agents, ...rest] = ALL
    const edited = inject({
      files: [{ ...agents, name: 'AGENTS.md', path: '/w/AGENTS.md', text: 'edited' }, ...rest],
    })
    expect(edited.files[0]?.text).toBe('edited')
    const prompt = buildSystemPrompt({ identity: 'You are.', files: edited.files })
    expect(prompt.stable).toContain('## AGENTS.md\n\nedited\n\n## SOUL.md\n\nSOUL.md text')
  })

  it('O1 follow a policy with other names, OPENCLAW.md for one', () => {
    const files = [...ALL, workspaceFile('OPENCLAW.md')]
    const chosen = inject({ files, policy: { ...policy, files: ['OPENCLAW.md', 'SOUL.md'] } })
    expect(chosen.files.slice(0, 2).map(({ name }) => name)).toEqual(['OPENCLAW.md', 'SOUL.md'])
  })

  it('O2 a budget of 10 % of 200,000 tokens is 80,000 characters, for one file and for all', () => {
    const { bootstrap } = splitWindow(200_000)
    const caps = bootstrapCaps(policy, bootstrap)
    expect(caps).toEqual({ perFile: 80_000, total: 80_000, tokens: 20_000 })
    const big = ['AGENTS.md', 'SOUL.md', 'TOOLS.md'].map((name) => workspaceFile(name, 'x'.repeat(50_000)))
    const result = inject({ files: big, caps })
    expect(result.files.map(({ injectedChars }) => injectedChars)[0]).toBe(50_000)
    expect(result.chars).toBeLessThanOrEqual(80_000)
    expect(result.chars).toBeGreaterThan(75_000)
    expect(bootstrapCaps(policy, splitWindow(32_000).bootstrap).total).toBe(12_800)
  })

  it('O3 without a budget the static caps hold: 20,000 per file and 150,000 in all, per file never above the total', () => {
    const caps = bootstrapCaps(policy, null)
    expect(caps).toEqual({ perFile: 20_000, total: 150_000, tokens: null })
    const many = Array.from({ length: 12 }, (_, i) => workspaceFile(`F${i}.md`, 'x'.repeat(30_000)))
    const result = inject({ files: many, caps })
    expect(result.chars).toBeLessThanOrEqual(150_000)
    for (const file of result.files) expect(file.injectedChars).toBeLessThanOrEqual(20_000)
    const seed = { maxCharsPerFile: 5000, maxCharsTotal: 20_000 }
    expect(bootstrapCaps(seed, null)).toEqual({ perFile: 5000, total: 20_000, tokens: null })
    expect(bootstrapCaps({ ...seed, maxCharsTotal: 3000 }, null).perFile).toBe(3000)
  })

  it('O4 says of every file how much is there, in the shape of the runtimes’ own report, and warns', () => {
    const { files, warnings } = inject({
      files: [workspaceFile('AGENTS.md', 'x'.repeat(45_000)), workspaceFile('SOUL.md', 'short')],
    })
    expect(files[0]).toMatchObject({
      name: 'AGENTS.md',
      path: '/w/AGENTS.md',
      missing: false,
      rawChars: 45_000,
      truncated: true,
    })
    expect(files[0]?.injectedChars).toBe(files[0]?.text.length)
    expect(files[1]).toEqual({
      name: 'SOUL.md',
      path: '/w/SOUL.md',
      missing: false,
      rawChars: 5,
      injectedChars: 5,
      truncated: false,
      text: 'short',
    })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(
      /AGENTS\.md is cut from 45000 to \d+ characters in the prompt: 20000 per file/,
    )
  })

  it('O4 a file that finds no room is left out and said to be', () => {
    const files = [workspaceFile('AGENTS.md', 'x'.repeat(960)), workspaceFile('SOUL.md', 'x'.repeat(50))]
    const caps = { perFile: 1000, total: 1000, tokens: null }
    const result = inject({ files, caps })
    expect(result.files[1]).toMatchObject({ rawChars: 50, injectedChars: 0, truncated: true, text: '' })
    expect(result.warnings).toEqual([
      'SOUL.md (50 characters) is left out of the prompt: 40 left of 1000 for all files.',
    ])
    // What still fits goes in whole, however little room there is.
    const small = [files[0] ?? workspaceFile(''), workspaceFile('SOUL.md', 'x'.repeat(40))]
    expect(inject({ files: small, caps }).chars).toBe(1000)
  })

  it('O5 notes a missing file in its place, an unreadable one too, and passes over optional ones', () => {
    const { files } = inject({
      files: [
        workspaceFile('AGENTS.md', null),
        workspaceFile('SOUL.md', null, { problem: 'no permission' }),
        workspaceFile('BOOTSTRAP.md', null),
        workspaceFile('MEMORY.md', null, { problem: 'it is a folder' }),
      ],
    })
    expect(files.map(({ name, missing }) => [name, missing])).toEqual([
      ['AGENTS.md', true],
      ['SOUL.md', false],
      ['MEMORY.md', false],
    ])
    expect(files[0]?.text).toMatch(/^\[MISSING\] AGENTS\.md .*\/w\/AGENTS\.md/)
    expect(files[0]).toMatchObject({ rawChars: 0, truncated: false })
    expect(files[0]?.injectedChars).toBe(files[0]?.text.length)
    expect(files[1]?.text).toMatch(/^\[UNREADABLE\] SOUL\.md .*no permission/)
    // A note is there whole or not at all.
    const long = workspaceFile('AGENTS.md', null, { path: `/${'w'.repeat(300)}` })
    const [noted] = inject({ files: [long], caps: { perFile: 200, total: 200, tokens: null } }).files
    expect(noted).toMatchObject({ missing: true, injectedChars: 0, text: '' })
  })

  it('O6 T7 hooks add and change files, still within the caps', async () => {
    const hook: BootstrapHook = (files) => [
      ...files.map((file) => (file.name === 'SOUL.md' ? { ...file, text: 'changed' } : file)),
      workspaceFile('EXTRA.md', 'x'.repeat(30_000)),
    ]
    const { files } = await runHooks(ALL, [hook])
    const result = inject({ files })
    expect(result.files.find(({ name }) => name === 'SOUL.md')?.text).toBe('changed')
    expect(result.files.at(-1)).toMatchObject({ name: 'EXTRA.md', rawChars: 30_000, truncated: true })
    expect(result.files.at(-1)?.injectedChars).toBeLessThanOrEqual(20_000)
    const tight = inject({ files, caps: { perFile: 500, total: 500, tokens: null } })
    expect(tight.chars).toBeLessThanOrEqual(500)
  })

  it('O6 a hook that fails or answers nonsense changes nothing but the warnings', async () => {
    const failing: BootstrapHook = () => {
      throw new Error('out of order')
    }
    const spoiling: BootstrapHook = (files) => {
      for (const file of files) Object.assign(file, { text: 'spoiled' })
    }
    const result = await runHooks(ALL, [
      failing,
      () => 'nonsense',
      spoiling,
      (files) => [...files, { name: 'X.md' }, null],
    ])
    expect(result.files).toEqual(ALL)
    expect(result.warnings).toEqual([
      'bootstrap hook failing failed: out of order',
      expect.stringMatching(/bootstrap hook 2 .*no list/),
      expect.stringMatching(/bootstrap hook 4: entry 9 has no name or no path/),
      expect.stringMatching(/bootstrap hook 4: entry 10/),
    ])
  })

  it('T7 a hook that answers later is waited for, and one that rejects is a warning', async () => {
    const later: BootstrapHook = async (files) => {
      await Promise.resolve()
      return [...files, workspaceFile('LATER.md')]
    }
    const rejecting: BootstrapHook = async () => {
      await Promise.resolve()
      throw new Error('no berth')
    }
    const { files, warnings } = await runHooks(ALL, [rejecting, later])
    expect(files.at(-1)?.name).toBe('LATER.md')
    expect(warnings).toEqual(['bootstrap hook rejecting failed: no berth'])
  })

  it('O7 sub-agents get AGENTS and TOOLS, whatever hooks add', () => {
    const files = [...ALL, workspaceFile('EXTRA.md')]
    expect(inject({ subagent: true, files }).files.map(({ name }) => name)).toEqual(['AGENTS.md', 'TOOLS.md'])
  })

  it('O2 O3 the caps hold for any files and any caps', () => {
    const file = fc
      .tuple(fc.constantFrom(...BOOTSTRAP_FILES, 'X.md', 'long/path/to/Y.md'), fc.option(fc.nat(3000)))
      .map(([name, size]) => workspaceFile(name, size === null ? null : 'x'.repeat(size)))
    fc.assert(
      fc.property(fc.array(file, { maxLength: 10 }), fc.nat(6000), fc.nat(3000), (files, total, perFile) => {
        const caps = bootstrapCaps({ maxCharsPerFile: perFile, maxCharsTotal: total }, null)
        const result = inject({ files, caps })
        expect(result.chars).toBe(result.files.reduce((sum, { text }) => sum + text.length, 0))
        expect(result.chars).toBeLessThanOrEqual(total)
        for (const { text, injectedChars, missing, truncated, rawChars } of result.files) {
          expect(injectedChars).toBe(text.length)
          expect(injectedChars).toBeLessThanOrEqual(caps.perFile)
          if (!missing && !truncated) expect(injectedChars).toBe(rawChars)
        }
      }),
    )
  })
})
