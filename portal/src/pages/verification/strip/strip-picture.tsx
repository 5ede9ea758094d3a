import { Text } from '@mantine/core';
import type { VerificationDetail } from '#contract/verifications.ts';
import { useWidth } from '../../../charts/use-width.ts';
import { formatDuration } from '../../../format/number.ts';
import css from './strip.module.css';
import { type Lane, lanesOf, type Mark, momentsOf, placesOf, wrongCodes } from './strip.ts';

const LANE = 44;
const TOP = 22;
const SIDE = 10;
const RADIUS = 6;
/** Of a letter in a gap's label, in px. */
const LETTER = 7;

/** What happened as a picture. The list below it says the same. */
export function StripPicture({ detail, now }: { readonly detail: VerificationDetail; readonly now: number }) {
  const [box, width] = useWidth();
  const lanes = lanesOf(detail, now);
  const moments = momentsOf(lanes);
  const places = placesOf(moments);
  const xOf = (at: number) => SIDE + (places.get(at) ?? 0) * Math.max(1, width - 2 * SIDE);
  const bottom = TOP + lanes.length * LANE;
  return (
    <figure className={css.figure}>
      <div ref={box}>
        <svg
          className={css.strip}
          width={width}
          height={bottom + 4}
          role="img"
          aria-label="What happened, as a picture; the list below says the same."
        >
          {moments.map((at, index) => {
            const next = moments[index + 1];
            const text = next === undefined ? '' : formatDuration(next - at);
            const room = next === undefined ? 0 : xOf(next) - xOf(at);
            return (
              <g key={at}>
                <line className={css.moment} x1={xOf(at)} x2={xOf(at)} y1={TOP - 4} y2={bottom} />
                {text !== '' && room > text.length * LETTER && (
                  <text className={css.gap} x={xOf(at) + room / 2} y={12} textAnchor="middle">
                    {text}
                  </text>
                )}
              </g>
            );
          })}
          {lanes.map((lane, index) => (
            <LaneMarks key={lane.name} lane={lane} top={TOP + index * LANE} width={width} xOf={xOf} />
          ))}
        </svg>
      </div>
      <Text size="xs" c="dimmed" className={css.legend}>
        Bars: a carrier was asked. Dots and crosses: what was reported. Not to scale: the longer a gap, the
        more it is shortened; its length stands above it.
        {wrongCodes(detail) > 0 && ' When wrong codes were entered is not kept, only how many.'}
      </Text>
    </figure>
  );
}

interface LaneProps {
  readonly lane: Lane;
  readonly top: number;
  readonly width: number;
  readonly xOf: (at: number) => number;
}

function LaneMarks({ lane: { name, bars, marks }, top, width, xOf }: LaneProps) {
  const middle = top + 28;
  return (
    <g>
      <text className={css.name} x={SIDE} y={top + 12}>
        {name}
      </text>
      <line className={css.lane} x1={SIDE} x2={width - SIDE} y1={middle} y2={middle} />
      {bars.map(({ at, to, text, tone }) => (
        <rect
          key={at}
          className={`${css.bar} ${css[tone]}`}
          x={xOf(at)}
          y={middle - RADIUS}
          width={Math.max(4, xOf(to) - xOf(at))}
          height={2 * RADIUS}
          rx={2}
        >
          <title>{`${text}, in ${formatDuration(to - at)}`}</title>
        </rect>
      ))}
      {marks.map((mark) => (
        <MarkShape key={`${mark.at} ${mark.text}`} mark={mark} x={xOf(mark.at)} y={middle} />
      ))}
    </g>
  );
}

/** A cross for what went wrong, so that colour is not all that tells them apart. */
function MarkShape({
  mark: { text, tone },
  x,
  y,
}: {
  readonly mark: Mark;
  readonly x: number;
  readonly y: number;
}) {
  return tone === 'bad' ? (
    <path className={`${css.cross} ${css.bad}`} d={`M${x - 5} ${y - 5}l10 10m0-10l-10 10`}>
      <title>{text}</title>
    </path>
  ) : (
    <circle className={`${css.dot} ${css[tone]}`} cx={x} cy={y} r={RADIUS}>
      <title>{text}</title>
    </circle>
  );
}
