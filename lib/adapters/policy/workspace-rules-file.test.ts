import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { RulesOf } from '../../engine/compaction/summary-material'
import { temporaryFolder } from '../../testing/store-folder'
import { workspaceRulesIn } from './workspace-rules-file'

const RULES = '## Red Lines\n- Never moor at berth 9.'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
  for (const name of ['store/workspace', 'named', 'elsewhere', 'link']) {
    mkdirSync(join(folder, name), { recursive: true })
    if (name !== 'link') writeFileSync(join(folder, name, 'AGENTS.md'), `# Agents\n\n${RULES}\n`)
  }
  symlinkSync(join(folder, 'elsewhere', 'AGENTS.md'), join(folder, 'link', 'AGENTS.md'))
})

const rulesOf = (cwd: string | null) =>
  workspaceRulesIn([join(folder, 'named'), join(folder, 'link'), join(folder, 'none')])({
    store: { root: join(folder, 'store') },
    totals: { cwd },
  } as Parameters<RulesOf>[0])

test('D17: of a workspace that the settings name, or that lies in the store', async () => {
  expect(await rulesOf(join(folder, 'named'))).toBe(RULES)
  expect(await rulesOf(join(folder, 'store', 'workspace'))).toBe(RULES)
})

test('D17: no other folder that a transcript names is looked into', async () => {
  for (const cwd of ['elsewhere', 'store/../elsewhere', 'link', 'none', 'store'])
    expect(await rulesOf(join(folder, cwd))).toBeNull()
  expect(await rulesOf('named')).toBeNull()
  expect(await rulesOf(null)).toBeNull()
})
