/** What the service loads when it is first needed is there from the start: loading takes real time, and would not be the same twice. */
import '../../../src/alerts/work.ts';
import '../../../src/core/hooks/unusable.ts';
import '../../../src/events/sender.ts';
import '../../../src/http/camara/operations.ts';
import '../../../src/http/hooks/index.ts';
import '../../../src/http/twilio/operations.ts';
