import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { readAgain } from './read-again'

/** A query whose answers come when the test lets them, in the order in which they were asked for. */
function askedFor(client: QueryClient, key: string) {
  const answers: ((value: string | Error) => void)[] = []
  const observer = new QueryObserver<string>(client, {
    queryKey: [key],
    queryFn: () =>
      new Promise<string>((resolve, reject) => {
        answers.push((value) => (typeof value === 'string' ? resolve(value) : reject(value)))
      }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const leave = observer.subscribe(() => undefined)
  const data = () => observer.getCurrentResult().data
  return { answers, data, leave }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('X3 what changed is read again', () => {
  it('also where the first answer was on its way when the change came', async () => {
    const client = new QueryClient()
    const job = askedFor(client, 'job')
    readAgain(client, ({ queryKey }) => queryKey[0] === 'job')
    job.answers[0]?.('running')
    await settled()
    expect(job.answers).toHaveLength(2)
    job.answers[1]?.('done')
    await settled()
    expect(job.data()).toBe('done')
    expect(job.answers).toHaveLength(2)
    job.leave()
  })

  it('also where that first answer is a fault', async () => {
    const client = new QueryClient()
    const job = askedFor(client, 'job')
    readAgain(client, () => true)
    job.answers[0]?.(new Error('busy'))
    await settled()
    job.answers[1]?.('done')
    await settled()
    expect(job.data()).toBe('done')
    job.leave()
  })

  it('once where an answer is there, and not at all where nothing changed', async () => {
    const client = new QueryClient()
    const [job, other] = [askedFor(client, 'job'), askedFor(client, 'other')]
    job.answers[0]?.('running')
    other.answers[0]?.('as it was')
    await settled()
    readAgain(client, ({ queryKey }) => queryKey[0] === 'job')
    job.answers[1]?.('done')
    await settled()
    expect([job.answers.length, other.answers.length]).toEqual([2, 1])
    expect(job.data()).toBe('done')
    job.leave()
    other.leave()
  })
})
