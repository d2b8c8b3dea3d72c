import { getColdChunk } from '@/lib/server/cold/cold-chunk'
import { answerFound } from '@/lib/server/door/answer-found'

export function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const [chunkId, sessionId] = [searchParams.get('chunk') ?? '', searchParams.get('of') ?? '']
  const time = searchParams.get('at') ?? ''
  const at = time === '' ? null : Number(time)
  const wanted = searchParams.get('place') === 'end' ? 'end' : 'neighbourhood'
  return answerFound('chunk of this name in cold storage', () =>
    getColdChunk({ chunkId, sessionId, at }, searchParams.get('target'), wanted),
  )
}
