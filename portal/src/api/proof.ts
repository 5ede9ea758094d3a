import { createContext, use } from 'react';

type WhenProven = <T>(ask: () => Promise<T>) => Promise<T>;

/** Provided to every page of who is signed in. */
export const ProofContext = createContext<WhenProven>((ask) => ask());

/** Makes a call. Where it is refused for want of a fresh proof of who it is, asks for one and makes the call again. */
export const useWhenProven = (): WhenProven => use(ProofContext);
