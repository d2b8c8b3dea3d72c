import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { type CacheView, workspaceView } from './workspaces'

const CACHE: CacheView = {
  mode: 'watched',
  cached: true,
  stale: false,
  hits: 3,
  misses: 1,
  invalidations: 0,
  last: null,
  loadedAt: 1,
  watchProblem: null,
  pollSeconds: 60,
}

const file = (name: string, text: string | null, problem?: string) => ({
  name,
  path: `/w/${name}`,
  text,
  problem,
})

describe('what a workspace puts into every prompt', () => {
  it('O1 O2 O3 O5 names each file, what of it goes in, and what is missing', () => {
    const policy = {
      budget: { ...DEFAULT_POLICY.budget, enabled: true },
      bootstrap: { ...DEFAULT_POLICY.bootstrap, files: ['AGENTS.md', 'SOUL.md', 'TOOLS.md', 'USER.md'] },
    }
    const view = workspaceView({
      folder: '/w',
      from: 'settings',
      cache: CACHE,
      workspaceFiles: [
        file('AGENTS.md', 'Moor at berth 4.'),
        file('SOUL.md', 'x'.repeat(50_000)),
        file('TOOLS.md', null),
        file('USER.md', null, 'EACCES'),
      ],
      policy,
      window: 20_000,
    })
    expect(view.files.map(({ state }) => state)).toEqual([
      'whole',
      'cut',
      expect.anything(),
      expect.anything(),
    ])
    expect(view.caps).toEqual({ perFile: 8000, total: 8000, tokens: 2000 })
    expect(view.chars).toBeLessThanOrEqual(8000)
    expect(view.warnings.join()).toMatch(/SOUL\.md is cut/)
    expect(view.tokens).toBe(view.files.reduce((sum, { tokens }) => sum + tokens, 0))
  })

  it('says missing and unreadable where there is room for a note', () => {
    const view = workspaceView({
      folder: '/w',
      from: 'settings',
      cache: CACHE,
      workspaceFiles: [file('AGENTS.md', null), file('SOUL.md', null, 'EACCES')],
      policy: {
        ...DEFAULT_POLICY,
        bootstrap: { ...DEFAULT_POLICY.bootstrap, files: ['AGENTS.md', 'SOUL.md'] },
      },
      window: 200_000,
    })
    expect(view.files.map(({ state }) => state)).toEqual(['missing', 'unreadable'])
  })
})
