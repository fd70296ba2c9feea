import { Component, type ReactNode } from 'react'
import { BrokenPage } from './broken-page.tsx'

/** Keeps an error of one page from removing the bar and the menu. A new address begins anew (`key`). */
export class PageBoundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {}

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    return error ? <BrokenPage error={error} resetErrorBoundary={() => this.setState({})} /> : this.props.children
  }
}
