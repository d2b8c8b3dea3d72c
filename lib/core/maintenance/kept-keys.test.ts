import { expect, it } from 'vitest'
import { keptOf } from './kept-keys'

it('N5 of the sessions that must stay, each index is asked for those that can be in it', () => {
  const keys = ['agent:main:main', 'agent:Ops:cron:x', 'global']
  expect(keptOf(keys, 'main')).toEqual(['agent:main:main', 'global'])
  expect(keptOf(keys, 'ops')).toEqual(['agent:Ops:cron:x', 'global'])
  expect(keptOf(keys, null)).toEqual(keys)
})
