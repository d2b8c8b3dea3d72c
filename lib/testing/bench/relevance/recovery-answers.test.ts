import { expect, test } from 'vitest'
import { CORPUS } from '../../corpus'
import { Asking } from './recovery-answers'
import { carriedQuestionSet, partOf, relevanceQuestionSet } from './relevance-question-set'
import { holdsAnswer, relevanceSessions } from './relevance-sessions'

test('I5: of a few real texts, most questions in other words find theirs', async () => {
  const { sessions, questions } = carriedQuestionSet()
  const answers = await new Asking(sessions).answers(questions)
  expect(answers.filter(({ place }) => place >= 0).length / questions.length).toBeGreaterThan(0.8)
})

test.skipIf(CORPUS === null)(
  'the set over the corpus is as large as it has to be, and each answer is there',
  () => {
    const { sessions, questions, idle } = relevanceQuestionSet(relevanceSessions(CORPUS ?? ''))
    expect(questions.length).toBeGreaterThanOrEqual(300)
    expect(questions.filter(({ kind }) => kind === 'hand').length * 3).toBeGreaterThanOrEqual(300)
    expect(new Set(questions.map(({ ask }) => ask)).size).toBe(questions.length)
    for (const { session, answer } of questions) {
      const { chunks = [] } = sessions.find(({ name }) => name === session) ?? {}
      expect(chunks.some((chunk) => holdsAnswer(chunk, answer))).toBe(true)
    }
    for (const part of ['tuning', 'held'])
      for (const all of [questions, idle])
        expect(all.filter((one) => partOf(one) === part).length).toBeGreaterThan(all.length * 0.4)
  },
)
