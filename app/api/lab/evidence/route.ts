import { answerFound } from '@/lib/server/door/answer-found'
import { getEvidence } from '@/lib/server/lab/lab-evidence'

/** The texts of a drop and of the need that it left unmet. */
export function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const number = (name: string) => {
    const value = Number(searchParams.get(name))
    return Number.isSafeInteger(value) && value >= 0 ? value : 0
  }
  const transcript = searchParams.get('transcript') ?? ''
  const place = {
    ...{ transcript, text: searchParams.get('text') ?? '' },
    ...{ entry: number('entry'), from: number('from'), to: number('to'), call: number('call') },
  }
  return answerFound(`session ${transcript}`, () => getEvidence(place))
}
