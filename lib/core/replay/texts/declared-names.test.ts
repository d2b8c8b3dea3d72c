import { expect, test } from 'vitest'
import { namesDeclaredIn } from './declared-names'

const names = (text: string, isEdit = true) => [...namesDeclaredIn(text, isEdit)]

test('whoever declares a name needs none', () => {
  expect(names('  export const errorText = new Text(theme)')).toEqual(['errorText'])
  expect(names('pub struct PostgresMailbox<P> {\n  marker: P\n}')).toEqual(['PostgresMailbox'])
  expect(names('func (s *Store) OpenSession(id string) error {')).toEqual(['OpenSession'])
  expect(names('    num_harmonics = min(8, n)\n')).toEqual(['num_harmonics'])
  expect(names('\temptyRow := rows[0]')).toEqual(['emptyRow'])
  expect(names('total_size: int = 0')).toEqual(['total_size'])
  expect(names('func lift(t *testing.T, cranes []Crane, craneName, harbourName string) {')).toEqual([
    'cranes',
    'craneName',
    'harbourName',
  ])
  expect(names('def lift_all(self, crane_name: str, **other_options):')).toEqual([
    'lift_all',
    'crane_name',
    'other_options',
  ])
})

test('what is only used is not declared', () => {
  expect(names('grep -A 20 "class ThemeSelector" src/theme.ts')).toEqual([])
  expect(names('return errorText.length')).toEqual([])
  expect(names('train(max_length=512, batch_size=8)')).toEqual([])
  expect(names('if (errorText == other_text) { }')).toEqual([])
  expect(names('import { errorText } from "./texts"')).toEqual([])
})

test('what an edit had before and has after it was there', () => {
  expect(names('const errorText = 1\nconst errorText = 2')).toEqual([])
  expect(names('const errorText = 1\nconst errorText = 2', false)).toEqual(['errorText'])
})

test('of a patch only added lines declare', () => {
  const patch = (line: string) => `*** Begin Patch\n*** Update File: a.ts\n@@\n${line}\n*** End Patch`
  expect(names(patch('+const errorText = 1'))).toEqual(['errorText'])
  expect(names(patch(' const errorText = 1'))).toEqual([])
  expect(names(patch('-const errorText = 1\n+const errorText = 2'))).toEqual([])
})
