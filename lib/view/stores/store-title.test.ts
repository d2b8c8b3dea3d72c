import { expect, it } from 'vitest'
import { storeTitle, storeTitles } from './store-title'

const store = (root: string, kind = 'openclaw') => ({ id: root, kind, root })

it('X1 stores that are listed together are titled by what differs', () => {
  const roots = ['/home/andre/.openclaw', '/home/bhagya/.openclaw', '/srv/old', '/a/x/.codex', '/b/x/.codex']
  const titles = storeTitles(roots.map((root) => store(root)))
  expect(roots.map((root) => titles.get(root))).toEqual([
    'OpenClaw · andre',
    'OpenClaw · bhagya',
    'OpenClaw · old',
    'OpenClaw · a/x',
    'OpenClaw · b/x',
  ])
})

it('a title of one store is the last part of its path, and that of another runtime is no other one', () => {
  const both = [store('/home/me/data'), { ...store('/srv/data', 'codex') }]
  expect([...storeTitles(both).values()]).toEqual(['OpenClaw · data', 'Codex · data'])
  // Two eras of one store differ by what is beside the title.
  const eras = ['a', 'b'].map((id) => ({ ...store('/home/me/.openclaw'), id }))
  expect([...storeTitles(eras).values()]).toEqual(['OpenClaw · .openclaw', 'OpenClaw · .openclaw'])
  expect(storeTitle({ kind: 'pi', root: '/', label: 'Transcripts · x' })).toBe('Transcripts · /')
})
