import { badRequest } from '@/lib/server/door/answer-found'
import { getEntryImage } from '@/lib/server/session/session-transcript'
import { entryNumber } from '@/lib/view/session/session-selection'

/** Formats that a browser draws without running anything in them. */
const SAFE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** A picture of an entry, on request. Anything but a plain picture is handed out as a file. */
export async function GET(
  request: Request,
  { params }: RouteContext<'/api/sessions/[id]/entries/[seq]/image'>,
) {
  const { id, seq } = await params
  const number = entryNumber(seq)
  const block = entryNumber(new URL(request.url).searchParams.get('block'))
  if (number === null || block === null) return badRequest('Entry and block must be whole numbers from 0 on.')
  const image = await getEntryImage(id, number, block).catch(() => null)
  if (!image) return Response.json({ problem: `There is no picture there.` }, { status: 404 })
  const safe = SAFE_TYPES.has(image.mimeType)
  return new Response(new Uint8Array(Buffer.from(image.base64, 'base64')), {
    headers: {
      'content-type': safe ? image.mimeType : 'application/octet-stream',
      'content-disposition': safe ? 'inline' : 'attachment',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}
