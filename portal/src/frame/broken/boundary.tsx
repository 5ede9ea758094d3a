import { Component, type ReactNode } from 'react';

interface BoundaryProps {
  /** The current address: going to another one clears the error. */
  readonly at: string;
  readonly fallback: (error: Error) => ReactNode;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly at: string;
  readonly error: Error | undefined;
}

/** Without it, an error in one part would make React remove the whole page. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { at: this.props.at, error: undefined };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps({ at }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return at === state.at ? null : { at, error: undefined };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : this.props.fallback(error);
  }
}
