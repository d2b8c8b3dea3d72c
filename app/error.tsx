'use client'

import { PageFault, type PageFaultProps } from '@/components/shell/page-fault'

export default function ErrorPage(props: PageFaultProps) {
  return <PageFault title="This page could not be made" {...props} />
}
