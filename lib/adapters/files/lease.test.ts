import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleChild, type ChildProgram } from '../../testing/child'
import { sharedFolder } from '../../testing/store-folder'
import { lookAtLease, takeLease } from './lease'

const folder = sharedFolder()
let program: ChildProgram
beforeAll(() => {
  program = bundleChild('lib/testing/children/hold-lease.ts')
})
afterAll(() => {
  program.remove()
})

it('holds the lease against others of the same process, and gives it back', () => {
  const file = join(folder, 'a.lease')
  const first = takeLease(file, 1000)
  expect(first.held).toBe(true)
  expect(takeLease(file, 2000)).toMatchObject({ held: false, holder: { pid: process.pid, since: 1000 } })
  if (first.held) first.lease.release()
  const again = takeLease(file, 3000)
  expect(again.held).toBe(true)
  if (again.held) again.lease.release()
})

it('says who holds it in another process, and passes on when that process is killed', async () => {
  const file = join(folder, 'b.lease')
  const child = program.start([file])
  await child.says('held')
  expect(takeLease(file, 1)).toMatchObject({ held: false, holder: { pid: child.process.pid } })
  child.process.kill('SIGKILL')
  await child.ended
  const result = takeLease(file, 2)
  expect(result.held).toBe(true)
  if (result.held) result.lease.release()
})

it('goes to exactly one of several that start at once', async () => {
  const file = join(folder, 'c.lease')
  const children = Array.from({ length: 5 }, () => program.start([file]))
  const said = (text: string) => children.filter((child) => child.output().includes(text)).length
  await expect.poll(() => said('held') + said('refused'), { timeout: 10_000 }).toBe(5)
  expect(said('held')).toBe(1)
  for (const child of children) child.process.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
})

it('can be looked at without being taken', () => {
  const file = join(folder, 'd.lease')
  expect(lookAtLease(file)).toBeNull()
  const taken = takeLease(file, 4000)
  expect(lookAtLease(file)).toMatchObject({ holder: { pid: process.pid, since: 4000 } })
  if (taken.held) taken.lease.release()
  expect(lookAtLease(file)).toBeNull()
})
