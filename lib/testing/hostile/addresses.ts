/** Addresses whose path is no text: a `%` that begins no character of UTF-8. */
export const BROKEN_ADDRESSES: readonly string[] = [
  '%ff',
  '%',
  '%zz',
  '%e0%a4',
  '%c0%80',
  '%ed%a0%80',
  'a%ffb',
].flatMap((part) => [
  `/${part}`,
  `/sessions/${part}`,
  `/sessions/${part}/transcript`,
  `/api/sessions/${part}`,
  `/api/jobs/${part}`,
  `/api/stores/${part}/maintenance`,
  `/_next/static/${part}`,
])
