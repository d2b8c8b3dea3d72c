import { expect, it } from 'vitest'
import { textsCoinedIn } from './coined-texts'

it('patterns, labels between outputs and fields of a tool are coined', () => {
  expect(textsCoinedIn('rg -n "^func handle" cmd && printf "\\n-- index --\\n"')).toEqual([
    '^func handle',
    '\\n-- index --\\n',
  ])
  expect(textsCoinedIn('gh pr view 1 --json isDraft,baseRefName')).toEqual(['isDraft', 'baseRefName'])
  expect(textsCoinedIn("gh api repos/a/b --jq '.[] | {created_at, url: .html_url}'")).toEqual([
    'created_at',
    'html_url',
  ])
})

it('a command with any number of options is read in linear time', () => {
  // With two ways to read an option each of these would double the time.
  expect(textsCoinedIn(`rg${' --hidden'.repeat(60)} lib`)).toEqual([])
  expect(textsCoinedIn(`rg${' --hidden'.repeat(60)} "^func lift"`)).toEqual(['^func lift'])
})

it('a text that is looked for as it is, is not', () => {
  expect(textsCoinedIn('grep -rn "The crane is locked" src; echo "all done now"')).toEqual([])
})
