import type { NextRequest } from 'next/server'
import { answerJson } from '@/lib/server/door/answer'
import { getOverview } from '@/lib/server/overview/overview'
import { parsePeriod } from '@/lib/view/overview/overview'

export function GET(request: NextRequest): Promise<Response> {
  const period = parsePeriod(request.nextUrl.searchParams.get('days') ?? undefined)
  return answerJson(() => getOverview({ period, now: Date.now() }))
}
