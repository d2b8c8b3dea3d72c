import { expect, it } from 'vitest'
import { toolRows, toolsCsv } from './tool-rows'

const SUM = {
  tool: 'read',
  sessions: 2,
  calls: 9,
  failed: 1,
  resultTokens: 900,
  largest: 400,
  sentTokens: 5_000,
}

it('X6: a tool says what of all that was sent it is, and leads to its sessions', () => {
  const [row] = toolRows([SUM], 20_000)
  expect(row).toMatchObject({ share: 0.25, href: '/sessions?tool=read&sort=cost' })
  expect(toolRows([SUM], 0)[0]?.share).toBeNull()
  expect(toolsCsv(toolRows([SUM], 1))).toContain('read,2,9,1,900,400,5000\r\n')
})

it('trap: a name that hides characters is shown, and leads nowhere', () => {
  const [row] = toolRows([{ ...SUM, tool: 'a\u202eb' }], 1)
  expect(row).toMatchObject({ tool: 'a⟨RLO⟩b', href: null })
})
