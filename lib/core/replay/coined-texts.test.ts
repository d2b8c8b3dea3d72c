import { expect, it } from 'vitest'
import { textsCoinedIn } from './coined-texts'

it('patterns, labels between outputs and fields of a tool are coined', () => {
  expect(textsCoinedIn('rg -n "^func handle" cmd && printf "\\n-- index --\\n"')).toEqual([
    '^func handle',
    '\\n-- index --\\n',
  ])
  expect(textsCoinedIn('gh pr view 1 --json isDraft,baseRefName')).toEqual(['isDraft', 'baseRefName'])
})

it('a text that is looked for as it is, is not', () => {
  expect(textsCoinedIn('grep -rn "Provided authentication token" src; echo "all done now"')).toEqual([])
})
