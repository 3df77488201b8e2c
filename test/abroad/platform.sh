#!/bin/bash
# Prints a platform for SimGrid: a machine that the trainer was not written for.
#
#   platform.sh fat-tree | torus | nodes      64 processors each
#
# fat-tree: leaves of 8, with half as many links up as down; torus: 4 x 4 x 4; nodes: 8 hosts of 8
# processors, which pass messages within a host six times as fast as between hosts.
set -euo pipefail
common='speed="1Gf" bw="1.25GBps" lat="1.5us" loopback_bw="8GBps" loopback_lat="0.2us"'
case $1 in
fat-tree) shape='radical="0-63" topology="FAT_TREE" topo_parameters="2;8,8;1,4;1,1" sharing_policy="SPLITDUPLEX"' ;;
torus) shape='radical="0-63" topology="TORUS" topo_parameters="4,4,4" sharing_policy="SPLITDUPLEX"' ;;
nodes) shape='radical="0-7" sharing_policy="SPLITDUPLEX"' ;;
*) echo "platform.sh: no platform '$1': expected fat-tree, torus or nodes" >&2; exit 2 ;;
esac
cat <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full">
    <cluster id="machine" prefix="n" suffix="" $shape $common/>
  </zone>
</platform>
XML
