"""Draws what a launch costs over the number of other streams."""
import subprocess

SCRIPT = """
set terminal pngcairo size 1200,750 font 'Sans,15' background 'white' linewidth 1.5
set output '{output}'
set title "What a launch on the null stream costs the host\\n{{/*0.8 {device}}}" font ',18'
set xlabel 'other blocking streams'
set ylabel 'time per launch (ns)'
set logscale xy
set xrange [0.8:1300]
set xtics (1, 4, 16, 64, 256, '1,000' 1000)
set ytics ({ytics})
set yrange [{low}:{high}]
set grid xtics ytics linecolor '#bbbbbb'
set border 3
set tics nomirror
set key left top Left reverse spacing 1.4
plot $figures using 1:4 with linespoints linecolor '#d95f02' pointtype 5 pointsize 1.3 \\
       title 'HIP, other streams busy: one launch on each before', \\
     $figures using 1:3 with linespoints linecolor '#1b62a5' pointtype 7 pointsize 1.6 \\
       title 'HIP, other streams idle', \\
     $figures using 1:2 with linespoints linecolor '#444444' dashtype 2 pointtype 6 pointsize 1.1 \\
       title 'raw Level Zero'
"""


def draw(figures, device, output):
    """Writes a PNG with gnuplot."""
    counts = sorted(int(key.split("_")[1]) for key in figures
                    if key.startswith("busy_") and key.endswith("_null_launch_ns"))
    rows = [(n, *(figures[key] for key in (f"raw_launch_idle_{n}_ns", f"launch_idle_{n}_ns",
                                                  f"busy_{n}_null_launch_ns"))) for n in counts]
    smallest = min(min(row[1:]) for row in rows)
    largest = max(max(row[1:]) for row in rows)
    ticks = [digit * 10.0**power for power in range(0, 9) for digit in (1, 2, 5)]
    low = max(tick for tick in ticks if tick < smallest)
    high = min(tick for tick in ticks if tick > 2.5 * largest)  # room for the legend
    # An _ would start a subscript.
    script = SCRIPT.format(output=output, device=device.replace("_", " ").replace("'", ""), low=low, high=high,
                           ytics=", ".join(f"'{tick:,.0f}' {tick:g}" for tick in ticks if low <= tick <= high))
    data = "\n".join(" ".join(f"{value:g}" for value in row) for row in rows)
    subprocess.run(["gnuplot"], input=f"$figures << END\n{data}\nEND\n{script}", text=True, check=True)
