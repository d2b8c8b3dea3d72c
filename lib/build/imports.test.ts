import { describe, expect, it } from 'vitest'
import { findRings, importsOf, judgeEngineImport, judgeImport, namedArrows } from './imports.mjs'

describe('import arrows', () => {
  it.each([
    ['lib/core/tokens/frame.ts', 'lib/engine/read/ports.ts'],
    ['lib/core/tokens/frame.ts', 'node:fs'],
    ['lib/core/tokens/frame.ts', 'react'],
    ['lib/engine/ingest/ingest.ts', 'node:path'],
    ['lib/engine/ingest/ingest.ts', 'lib/db/client.ts'],
    ['lib/view/text/format.ts', 'lib/db/queries/sessions.ts'],
    ['lib/adapters/tail.ts', 'lib/config/env.ts'],
    ['lib/db/client.ts', 'lib/adapters/tail.ts'],
    ['lib/db/client.ts', '@prisma/adapter-libsql'],
    ['lib/db/commands/jobs.ts', 'libsql'],
    ['lib/db/queries/jobs.ts', 'lib/db/sqlite/local-connection.ts'],
    ['lib/server/jobs/jobs.ts', 'lib/db/sqlite/local-connection.ts'],
    ['lib/cli/main.ts', 'lib/server/overview.ts'],
    ['lib/cli/main.ts', 'next/server'],
    ['components/ui/card.tsx', 'lib/server/overview.ts'],
    ['components/ui/card.tsx', 'app/page.tsx'],
    ['app/page.tsx', 'lib/db/queries/sessions.ts'],
    ['lib/server/overview.ts', 'react'],
    ['lib/server/overview.ts', 'lib/testing/database.ts'],
  ])('refuses %s → %s', (from, to) => {
    expect(judgeImport({ from, to })).toContain(to)
  })

  it.each([
    ['app/page.tsx', 'components/ui/card.tsx'],
    ['app/page.tsx', 'lib/server/overview.ts'],
    ['app/layout.tsx', 'app/globals.css'],
    ['components/ui/card.tsx', 'lib/view/text/format.ts'],
    ['components/ui/card.tsx', 'react'],
    ['lib/engine/ingest/ingest.ts', 'lib/core/tokens/frame.ts'],
    ['lib/core/transcript/entry.ts', 'zod'],
    ['lib/core/tokens/frame.test.ts', 'node:fs'],
    ['lib/db/sqlite/prisma-adapter.ts', '@prisma/adapter-libsql'],
    ['lib/db/client.ts', 'lib/db/sqlite/local-connection.ts'],
  ])('allows %s → %s', (from, to) => {
    expect(judgeImport({ from, to })).toBeNull()
  })

  it('reads all kinds of imports, types included', () => {
    const text = `import type { A } from './a'
import b from "./b"
import './c'
export * from './d'
export { e } from './e'
const f = await import('./f')
const text = "import x from './not-one'"
type G = typeof import('zod')`
    expect(importsOf('x.ts', text).sort()).toEqual(['./a', './b', './c', './d', './e', './f'])
  })

  it('knows the arrows between rooms of engine that the README names', () => {
    const arrows = namedArrows(
      '| room | what | may import |\n|---|---|---|\n| `a` | x | `b` `c` |\n| `b` | y | |\n',
    )
    const judge = (from: string, to: string) =>
      judgeEngineImport({ from: `lib/engine/${from}.ts`, to: `lib/engine/${to}.ts` }, arrows)
    expect(judge('a/x', 'b/y')).toBeNull()
    expect(judge('b/y', 'b/z')).toBeNull()
    expect(judge('b/y', 'a/x')).toContain('names no such arrow')
    expect(judge('d/y', 'a/x')).toContain('names no such arrow')
    expect(judge('b/y.test', 'a/x')).toBeNull()
  })

  it('finds a ring and names its members', () => {
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'b' },
      { from: 'a', to: 'c' },
    ]
    expect(findRings(edges)).toEqual([['b', 'c', 'b']])
  })
})
