/**
 * Lets connections open a few at a time. Hundreds at once would measure how fast two processes shake hands: a service gives each
 * handshake some seconds, which a machine that tests share may take for all of them. What is asked over them comes at once all the same.
 */
import type { Agent } from 'node:http';

const AT_ONCE = 16;

const waiting: (() => void)[] = [];
let underWay = 0;

/** `done` is the event with which a connection is open. */
export function inTurn<Each extends Agent>(agent: Each, done: 'connect' | 'secureConnect'): Each {
  const open = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    waiting.push(() => {
      const socket = open(options);
      if (socket === null || socket === undefined) throw new Error('the agent opened nothing');
      let hasLeft = false;
      const leave = () => {
        if (hasLeft) return;
        hasLeft = true;
        underWay -= 1;
        letIn();
      };
      socket.once(done, leave).once('close', leave);
      callback?.(null, socket);
    });
    letIn();
    return undefined;
  };
  return agent;
}

function letIn(): void {
  while (underWay < AT_ONCE) {
    const next = waiting.shift();
    if (next === undefined) return;
    underWay += 1;
    next();
  }
}
